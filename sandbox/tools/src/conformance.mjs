/**
 * `npm run conformance`: lists every row of the specification with the tests that prove it, from the last `npm test`
 * reports.
 */
import { command, run } from './command.mjs'
import { ensureInstalled } from './install.mjs'

command(async () => {
  await ensureInstalled()
  const { code } = await run(process.execPath, ['sandbox/testing/conformance/main.mjs', ...process.argv.slice(2)])
  return code
})
