/** Starts PostgreSQL for a test, in its own folder and on a free port. Importing this without PostgreSQL fails. */
import { readFileSync } from 'node:fs'
import { startCluster } from '@keybay/sandbox-tools/postgres'
import { POSTGRES, requireProgram } from '@keybay/sandbox-tools/programs'

requireProgram(POSTGRES)

export interface Postgres {
  readonly url: string
  /** Creates another database, empty by default. @returns its address */
  create(name: string, template?: string): string
  /** Ends the server at once, as a crash does, and closes every connection. */
  halt(): void
  /** Starts the server again at the same address. */
  resume(): void
  /** Starts a standby that follows this server; `setSynchronous` decides whether commits wait for it. @returns its address */
  replicate(): Promise<string>
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

/** @param options `fsync`: `on` for a service that demands durable writes; slower. `explain`: for `listScans` */
export async function startPostgres({
  fsync = 'off',
  explain = false,
}: {
  readonly fsync?: 'on' | 'off'
  readonly explain?: boolean
} = {}): Promise<Postgres> {
  const cluster = await startCluster(`-c fsync=${fsync} ${explain ? EXPLAIN : ''}`)
  const { run, login, url } = cluster
  return {
    url,
    create(name, template = 'template1') {
      run('createdb', ...login, '-T', template, name)
      return url.replace(/postgres$/, name)
    },
    halt: cluster.halt,
    resume: cluster.resume,
    async replicate() {
      run('pg_basebackup', ...login, '-D', cluster.standby, '-R', '-c', 'fast', '--no-sync')
      return url.replace(/\d+(?=\/)/, String(await cluster.startStandby()))
    },
    setSynchronous(isOn) {
      const ask = (...statements: string[]) =>
        run('psql', ...login, '-tA', ...statements.flatMap(each => ['-c', each]), 'postgres').trim()
      ask(`alter system set synchronous_standby_names = '${isOn ? '*' : ''}'`, 'select pg_reload_conf()')
      while (ask('select sync_state from pg_stat_replication') !== (isOn ? 'sync' : 'async'));
    },
    listScans: () => readScans(readFileSync(`${cluster.data}.log`, 'utf8')),
    stop: cluster.stop,
  }
}
