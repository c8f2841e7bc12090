/** `npm run api`: writes the public types of each published package to its `generated/api.txt`. */
import { build } from './build.mjs'
import { command } from './command.mjs'
import { ensureInstalled } from './install.mjs'

command(async () => {
  await ensureInstalled()
  await build()
  // Imported late: it parses with Vite, which may just have been installed.
  const { writeApiReports } = await import('./api-report.mjs')
  writeApiReports()
})
