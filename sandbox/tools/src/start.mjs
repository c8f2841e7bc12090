/** `npm start`: runs the sandbox. `--fresh` deletes its data first, `--verbose` shows the services' output. */
import { rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { build, bundle } from './build.mjs'
import { Advice, command } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { checkPorts } from './ports.mjs'
import { packages, root } from './repo.mjs'
import { addressOf } from './service-process.mjs'
import { services } from './services.mjs'
import { stopOnSignals, supervise } from './supervisor.mjs'

const usage = 'Usage: npm start -- [--fresh] [--verbose]'

function options() {
  try {
    return parseArgs({ options: { fresh: { type: 'boolean' }, verbose: { type: 'boolean' } } }).values
  } catch (error) {
    throw new Advice(`${error instanceof Error ? error.message : error}\n${usage}`)
  }
}

function table() {
  const rows = services.map(service => [service.name, addressOf(service, process.env), service.about])
  const widths = [0, 1].map(column => Math.max(...rows.map(row => (row[column] ?? '').length)))
  return rows.map(row => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`).join('\n')
}

command(async () => {
  const started = performance.now()
  const { fresh, verbose } = options()
  const dataDir = process.env.KEYBAY_DATA_DIR || join(root, '.keybay')
  await checkPorts(services, process.env)
  await ensureInstalled()
  const folders = services.map(service => service.folder)
  const names = packages().flatMap(({ folder, name }) => (folders.includes(folder) ? [name] : []))
  await build(() => bundle(names))
  // Deletes only the services' own folders, because the user may have chosen the data folder.
  if (fresh) for (const { name } of services) rmSync(join(dataDir, name), { recursive: true, force: true })

  console.info(`Starting ${services.map(service => service.name).join(', ')} …`)
  const say = (/** @type {string} */ line) => console.info(line)
  const supervisor = supervise({ services, dataDir, env: process.env, verbose, say })
  stopOnSignals(supervisor, say)
  // A killed npm sends no signal, so poll for a new parent.
  const parent = process.ppid
  const watch = setInterval(() => process.ppid !== parent && supervisor.stop(), 500)
  if (!process.env.npm_lifecycle_event) clearInterval(watch)

  if (await supervisor.ready) {
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    const inside = relative(process.cwd(), dataDir)
    const place = inside.startsWith('..') ? dataDir : inside
    console.info(
      `\n${table()}\n\nReady in ${seconds} s. Data is in ${place} (npm start -- --fresh deletes it). Ctrl-C stops everything.`,
    )
  }
  return supervisor.done.finally(() => clearInterval(watch))
})
