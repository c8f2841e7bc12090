/** Starts Debian's PostgreSQL for a test, as the user postgres, in its own folder and on a free port. */
import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../src/free-port.js'

const VERSIONS = '/usr/lib/postgresql'

function binaries(): string | undefined {
  const [newest] = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : []
  const folder = newest && join(VERSIONS, newest, 'bin')
  return folder && existsSync(join(folder, 'initdb')) ? folder : undefined
}

function isDebianRoot(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get')
}

/** Returns the folder of PostgreSQL's programs, installing them if possible; otherwise why they are missing. */
export function findPostgres(): { bin: string } | { missing: string } {
  const binFolder = binaries()
  if (binFolder)
    return process.getuid?.() === 0 && !hasUser() ? { missing: 'there is no user postgres' } : { bin: binFolder }
  if (!isDebianRoot()) return { missing: 'PostgreSQL is not installed, and only root on Debian can install it here' }
  const run = (...args: string[]): SpawnSyncReturns<Buffer> =>
    spawnSync('/usr/bin/apt-get', args, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: 240_000,
    })
  run('update', '-qq')
  run('install', '-y', '-qq', '--no-install-recommends', 'postgresql')
  const installed = binaries()
  return installed ? { bin: installed } : { missing: 'apt-get could not install postgresql' }
}

function getEntry(name: string): string[] | undefined {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find(line => line.startsWith(`${name}:`))
    ?.split(':')
}

function hasUser(): boolean {
  return getEntry('postgres') !== undefined
}

export interface Postgres {
  readonly url: string
  /** Creates another database, empty by default. @returns its address */
  create(name: string, template?: string): string
  stop(): void
}

/**
 * Starts PostgreSQL. It refuses to run as root, so then it runs as the user that its package created.
 * @param fsync `on` for a service that demands durable writes; slower
 */
export async function startPostgres(bin: string, fsync: 'on' | 'off' = 'off'): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'keybay-postgres-'))
  const port = await freePort()
  const [, , uid, gid] = (process.getuid?.() === 0 && getEntry('postgres')) || []
  const user = uid && gid ? { uid: Number(uid), gid: Number(gid) } : {}
  if (uid && gid) chownSync(folder, Number(uid), Number(gid))
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(bin, program), args, { ...user, cwd: folder, stdio: 'pipe', timeout: 60_000 })
  const data = join(folder, 'data')
  run('initdb', '-D', data, '-U', 'keybay', '-A', 'trust', '-E', 'UTF8', '--no-sync')
  // Write output to a file: a server that inherits a pipe would keep the caller waiting.
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=${fsync}`
  run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', settings, 'start')
  return {
    url: `postgres://keybay@127.0.0.1:${port}/postgres`,
    create(name, template = 'template1') {
      run('createdb', '-h', '127.0.0.1', '-p', String(port), '-U', 'keybay', '-T', template, name)
      return `postgres://keybay@127.0.0.1:${port}/${name}`
    },
    stop() {
      run('pg_ctl', '-D', data, '-w', '-m', 'immediate', 'stop')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
