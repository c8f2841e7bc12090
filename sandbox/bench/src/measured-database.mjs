/** PostgreSQL under a measured service. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startCluster } from '@keybay/sandbox-tools/postgres'
import { POSTGRES, requireProgram } from '@keybay/sandbox-tools/programs'

/** @typedef {Awaited<ReturnType<typeof startDatabase>>} MeasuredDatabase */

const SETTINGS = '-c shared_preload_libraries=pg_stat_statements -c fsync=off'

/** Starts PostgreSQL for one service, whose process finds it. @param {(end: () => unknown) => void} onEnd */
export async function startDatabase(onEnd) {
  const cluster = await startCluster(SETTINGS)
  onEnd(cluster.stop)
  const ask = (/** @type {string} */ statement) =>
    cluster.run('psql', ...cluster.login, '-tAc', statement, 'postgres').trim()
  ask('create extension pg_stat_statements')
  process.env.BENCH_DATABASE_URL = cluster.url
  onEnd(() => delete process.env.BENCH_DATABASE_URL)
  return {
    url: cluster.url,
    ask,
    /** Takes as long as it needs; connections that the services close in between are noticed. @param {string} statement */
    async askForLong(statement) {
      const args = [...cluster.login, '-tAc', statement, 'postgres']
      return (await promisify(execFile)(join(requireProgram(POSTGRES), 'psql'), args)).stdout.trim()
    },
    processorTime: cluster.getProcessorTime,
    countStatements: () =>
      Number(ask("select sum(calls) from pg_stat_statements where query not like '%pg_stat_statements%'")),
  }
}
