/** Starts PostgreSQL for a test, in its own folder and on a free port. Importing this without PostgreSQL fails. */
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { POSTGRES, requireProgram } from '@keybay/sandbox-tools/programs'

const bin = requireProgram(POSTGRES)

function getEntry(name: string): string[] | undefined {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find(line => line.startsWith(`${name}:`))
    ?.split(':')
}

export interface Postgres {
  readonly url: string
  /** Creates another database, empty by default. @returns its address */
  create(name: string, template?: string): string
  /** Ends the server at once, as a crash does, and closes every connection. */
  halt(): void
  /** Starts the server again at the same address. */
  resume(): void
  /** Starts a standby that follows this server; `setSynchronous` decides whether commits wait for it. */
  replicate(): Promise<void>
  /** Waits until the standby knows. */
  setSynchronous(isOn: boolean): void
  stop(): void
}

/**
 * Starts PostgreSQL. It refuses to run as root, so then it runs as the user that its package created.
 * @param fsync `on` for a service that demands durable writes; slower
 */
export async function startPostgres(fsync: 'on' | 'off' = 'off'): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'keybay-postgres-'))
  const port = await freePort()
  const isRoot = process.getuid?.() === 0
  const [, , uid, gid] = (isRoot && getEntry('postgres')) || []
  if (isRoot && !uid) throw new Error('PostgreSQL does not run as root: add a user postgres.')
  const user = uid && gid ? { uid: Number(uid), gid: Number(gid) } : {}
  if (uid && gid) chownSync(folder, Number(uid), Number(gid))
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(bin, program), args, { ...user, cwd: folder, stdio: 'pipe', timeout: 60_000 })
  const [data, standby] = [join(folder, 'data'), join(folder, 'standby')]
  run('initdb', '-D', data, '-U', 'keybay', '-A', 'trust', '-E', 'UTF8', '--no-sync')
  const login = ['-h', '127.0.0.1', '-p', String(port), '-U', 'keybay']
  const start = (at: string, listen: number) => {
    // Write output to a file: a server that inherits a pipe would keep the caller waiting.
    const settings = `-p ${listen} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=${fsync}`
    run('pg_ctl', '-D', at, '-w', '-l', `${at}.log`, '-o', settings, 'start')
  }
  const stop = (at: string) => run('pg_ctl', '-D', at, '-w', '-m', 'immediate', 'stop')
  const isReplicated = () => existsSync(join(standby, 'postmaster.pid'))
  start(data, port)
  return {
    url: `postgres://keybay@127.0.0.1:${port}/postgres`,
    create(name, template = 'template1') {
      run('createdb', ...login, '-T', template, name)
      return `postgres://keybay@127.0.0.1:${port}/${name}`
    },
    halt: () => stop(data),
    resume: () => start(data, port),
    async replicate() {
      run('pg_basebackup', ...login, '-D', standby, '-R', '-c', 'fast', '--no-sync')
      start(standby, await freePort())
    },
    setSynchronous(isOn) {
      const ask = (...statements: string[]) =>
        run('psql', ...login, '-tA', ...statements.flatMap(each => ['-c', each]), 'postgres')
          .toString()
          .trim()
      ask(`alter system set synchronous_standby_names = '${isOn ? '*' : ''}'`, 'select pg_reload_conf()')
      while (ask('select sync_state from pg_stat_replication') !== (isOn ? 'sync' : 'async'));
    },
    stop() {
      if (isReplicated()) stop(standby)
      if (existsSync(join(data, 'postmaster.pid'))) stop(data)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
