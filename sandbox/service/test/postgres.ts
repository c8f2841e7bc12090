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
  /** Returns the queries that read a whole table although they name rows. See `explain`. */
  listScans(): readonly Scan[]
  stop(): void
}

/** A query for which no index serves. */
export interface Scan {
  readonly table: string
  readonly query: string
}

/**
 * Options that write the plan of each query to the log, those of foreign keys included. A scan is planned only where no
 * index serves.
 */
const EXPLAIN =
  '-c shared_preload_libraries=auto_explain -c auto_explain.log_min_duration=0 -c auto_explain.log_format=json -c auto_explain.log_nested_statements=on -c enable_seqscan=off'
const PLAN = /^\S+ \S+ \S+ \[\d+\] LOG: {2}duration: [\d.]+ ms {2}plan:\n((?:\t.*\n)+)/gm

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Filter?: string
  readonly Plans?: readonly PlanNode[]
}

function listNodes(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(listNodes)]
}

/**
 * Returns true for the queries of PostgreSQL and of its client, about types and new foreign keys, and for `facts`, of
 * which a service has a handful.
 */
function isExpected(table: string, query: string): boolean {
  return table.startsWith('pg_') || table === 'facts' || query.startsWith('SELECT fk.')
}

function readScans(log: string): readonly Scan[] {
  const scans = new Map<string, Scan>()
  for (const [, text = ''] of log.matchAll(PLAN)) {
    const { 'Query Text': query, Plan: plan } = JSON.parse(text)
    for (const { 'Node Type': type, 'Relation Name': table, Filter: filter } of listNodes(plan))
      if (type === 'Seq Scan' && table && filter && !isExpected(table, query))
        scans.set(`${table} ${query}`, { table, query })
  }
  return [...scans.values()]
}

/**
 * Starts PostgreSQL. It refuses to run as root, so then it runs as the user that its package created.
 * @param options `fsync`: `on` for a service that demands durable writes; slower. `explain`: for `listScans`
 */
export async function startPostgres({
  fsync = 'off',
  explain = false,
}: {
  readonly fsync?: 'on' | 'off'
  readonly explain?: boolean
} = {}): Promise<Postgres> {
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
    const settings = `-p ${listen} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=${fsync} ${explain ? EXPLAIN : ''}`
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
    listScans: () => readScans(readFileSync(`${data}.log`, 'utf8')),
    stop() {
      if (isReplicated()) stop(standby)
      if (existsSync(join(data, 'postmaster.pid'))) stop(data)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
