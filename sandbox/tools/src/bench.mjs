/** `npm run bench`: measures sizes, renders and times beside the peers. Passes its arguments to the bench. */
import { ensureChromium } from './browser.mjs'
import { build } from './build.mjs'
import { command, run } from './command.mjs'
import { ensureInstalled } from './install.mjs'

command(async () => {
  await ensureInstalled()
  const env = { ...process.env, CHROMIUM_PATH: await ensureChromium() }
  await build()
  const { code } = await run(process.execPath, ['sandbox/bench/src/main.mjs', ...process.argv.slice(2)], { env })
  return code
})
