/** `npm run conformance`: every row of the specification and the tests that prove it, by the reports of the last `npm test`. */
import { command, run } from './command.mjs'
import { ensureInstalled } from './install.mjs'

command(async () => {
  await ensureInstalled()
  const { code } = await run(process.execPath, ['sandbox/testing/conformance/main.mjs', ...process.argv.slice(2)])
  return code
})
