// Runs the services given as JSON as `npm start` does: supervised, until a signal.
import { stopOnSignals, supervise } from '../../src/supervisor.mjs'

const [services = '[]', dataDir = ''] = process.argv.slice(2)

function say(/** @type {string} */ line) {
  return console.info(line)
}
const supervisor = supervise({ services: JSON.parse(services), dataDir, env: process.env, grace: 60_000, say })
stopOnSignals(supervisor, say)
if (await supervisor.ready) console.info('all ready')
process.exitCode = await supervisor.done
