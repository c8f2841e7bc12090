/** Starts PostgreSQL in a folder of its own and on a free port, for tests and measurements. */
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from './free-port.mjs'
import { POSTGRES, requireProgram } from './programs.mjs'
import { root } from './repo.mjs'

const CLOCK_TICKS = 100

/** @param {string} name */
function getEntry(name) {
  const entries = readFileSync('/etc/passwd', 'utf8').split('\n')
  return entries.find(line => line.startsWith(`${name}:`))?.split(':')
}

/**
 * Returns a function that runs PostgreSQL's programs. It refuses to run as root, so then they run as the user that its
 * package created.
 * @param {string} folder
 */
function createRunner(folder) {
  const bin = requireProgram(POSTGRES)
  const isRoot = process.getuid?.() === 0
  const [, , uid, gid] = (isRoot && getEntry('postgres')) || []
  if (isRoot && !uid) throw new Error('PostgreSQL does not run as root: add a user postgres.')
  const user = uid && gid ? { uid: Number(uid), gid: Number(gid) } : {}
  if (uid && gid) chownSync(folder, Number(uid), Number(gid))
  return (/** @type {string} */ program, /** @type {readonly string[]} */ ...args) =>
    execFileSync(join(bin, program), args, { ...user, cwd: folder, stdio: 'pipe', timeout: 60_000 }).toString()
}

/** @param {string} pid @returns {readonly string[]} the fields of /proc/<pid>/stat after the name; empty once it ended */
function readStat(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  } catch {
    return []
  }
}

/**
 * Returns the processor time of a server and its processes until now, in s. Linux only.
 * @param {string} data
 */
function getProcessorTime(data) {
  const [main = ''] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
  const stats = readdirSync('/proc').flatMap(pid => {
    const fields = /^\d+$/.test(pid) ? readStat(pid) : []
    if (pid === main) return [fields.slice(11, 15)]
    return fields[1] === main ? [fields.slice(11, 13)] : []
  })
  return stats.flat().reduce((sum, ticks) => sum + Number(ticks), 0) / CLOCK_TICKS
}

/**
 * Keeps a copy of new data, by which other clusters start in a third of the processor time of initdb.
 * @param {string} data
 * @param {string} template
 */
function keep(data, template) {
  mkdirSync(dirname(template), { recursive: true })
  // Never in the place of a copy that an earlier process began and did not end.
  const folder = mkdtempSync(`${template}.`)
  const copy = join(folder, 'data')
  execFileSync('cp', ['-a', data, copy])
  try {
    renameSync(copy, template)
  } catch {
    // Another process was faster.
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {ReturnType<typeof createRunner>} run @param {string} data */
function createData(run, data) {
  // What initdb takes from its environment.
  const names = Object.keys(process.env).filter(name => /^(LC_\w+|LANG|TZ)$/.test(name))
  const settings = names.sort().map(name => `${name}=${process.env[name]}`)
  const name = [run('initdb', '--version'), ...settings].join(' ').replaceAll(/[^\w.]+/g, '-')
  const template = join(root, 'node_modules/.cache/keybay', name)
  // Keeps the owner too.
  if (existsSync(template)) return execFileSync('cp', ['-a', template, data])
  run('initdb', '-D', data, '-U', 'keybay', '-A', 'trust', '-E', 'UTF8', '--no-sync')
  keep(data, template)
}

/**
 * Creates a cluster and starts it.
 * @param {string} settings options of the server, as `-c name=value`
 */
export async function startCluster(settings) {
  const folder = mkdtempSync(join(tmpdir(), 'keybay-postgres-'))
  const port = await freePort()
  const run = createRunner(folder)
  const [data, standby] = [join(folder, 'data'), join(folder, 'standby')]
  createData(run, data)
  const start = (/** @type {string} */ at, /** @type {number} */ listen) => {
    const all = `-p ${listen} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' ${settings}`
    // Write output to a file: a server that inherits a pipe would keep the caller waiting.
    run('pg_ctl', '-D', at, '-w', '-l', `${at}.log`, '-o', all, 'start')
  }
  const halt = (/** @type {string} */ at) => {
    if (existsSync(join(at, 'postmaster.pid'))) run('pg_ctl', '-D', at, '-w', '-m', 'immediate', 'stop')
  }
  start(data, port)
  return {
    run,
    data,
    standby,
    login: ['-h', '127.0.0.1', '-p', String(port), '-U', 'keybay'],
    url: `postgres://keybay@127.0.0.1:${port}/postgres`,
    getProcessorTime: () => getProcessorTime(data),
    /** Ends the server at once, as a crash does. */
    halt: () => halt(data),
    resume: () => start(data, port),
    /** @returns its port */
    async startStandby() {
      const listen = await freePort()
      start(standby, listen)
      return listen
    },
    stop() {
      halt(standby)
      halt(data)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
