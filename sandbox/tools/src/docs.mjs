/** `npm run docs`: builds the documentation site from the pages and the built packages; `-- --serve` also serves it. */
import { bundleAndDeclare } from './build.mjs'
import { command, run } from './command.mjs'
import { ensureInstalled } from './install.mjs'

command(async () => {
  await ensureInstalled()
  const built = await bundleAndDeclare()
  if (built.code !== 0) return built.code
  const { code } = await run(process.execPath, ['sandbox/docs/src/main.mjs', ...process.argv.slice(2)])
  return code
})
