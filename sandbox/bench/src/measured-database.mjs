/** PostgreSQL under a measured service. */
import { startCluster } from '@keybay/sandbox-tools/postgres'

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
    processorTime: cluster.getProcessorTime,
    countStatements: () =>
      Number(ask("select sum(calls) from pg_stat_statements where query not like '%pg_stat_statements%'")),
  }
}
