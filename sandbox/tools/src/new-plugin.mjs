/** `npm run new:plugin -- <name> [--kind wallet|login] [--dir plugins]`: installs what is missing, then writes the plugin. */
import { join } from 'node:path'
import { command, run } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { root } from './repo.mjs'

command(async () => {
  const args = process.argv.slice(2)
  if (!args.includes('--no-install')) await ensureInstalled()
  const { code } = await run(process.execPath, [join(root, 'sandbox/create/src/new-plugin.mjs'), ...args])
  return code
})
