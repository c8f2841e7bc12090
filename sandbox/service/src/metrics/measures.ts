/** Measures of every service beside its requests. */
import type { DatabaseService } from '../database/options.js'
import type { Metrics } from './metrics.js'

export function measurePool(metrics: Metrics, database: DatabaseService): void {
  const getUse = database.getPoolUse?.bind(database)
  if (!getUse) return
  metrics.gauge(
    { name: 'keybay_database_connections_max', help: 'Connections that the pool may open.' },
    () => getUse().most,
  )
  metrics.gauge(
    { name: 'keybay_database_connections_busy', help: 'Connections that run a statement or a transaction.' },
    () => getUse().busy,
  )
  metrics.gauge(
    { name: 'keybay_database_waiting', help: 'Statements and transactions that wait for a connection.' },
    () => getUse().waiting,
  )
  metrics.counter(
    {
      name: 'keybay_database_pool_timeouts_total',
      help: 'Statements and transactions that got no connection in time.',
    },
    () => getUse().timedOut,
  )
}

/** Returns `sweep` with its duration, its result and the time of its last success measured. */
export function measureSweeps(metrics: Metrics, sweep: () => Promise<unknown>): () => Promise<void> {
  const record = metrics.timer({
    name: 'keybay_sweep_duration_seconds',
    help: 'Duration of sweeps, which delete expired data, by result: ok or failed.',
    labels: ['result'],
  })
  let lastSuccess = 0
  metrics.gauge(
    {
      name: 'keybay_sweep_last_success_timestamp_seconds',
      help: 'Time of the last sweep that succeeded; 0 before it.',
    },
    () => lastSuccess,
  )
  return async () => {
    const started = performance.now()
    let result = 'failed'
    try {
      await sweep()
      result = 'ok'
      lastSuccess = Date.now() / 1000
    } finally {
      record(started, { result })
    }
  }
}
