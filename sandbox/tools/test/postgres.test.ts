import { expect, it, onTestFinished } from 'vitest'
import { startCluster } from '../src/postgres.mjs'

it('starts each cluster of PostgreSQL with data of its own', async () => {
  const clusters = [await startCluster('-c fsync=off'), await startCluster('-c fsync=off')]
  for (const cluster of clusters) onTestFinished(cluster.stop)
  for (const { run, login } of clusters)
    expect(run('psql', ...login, '-d', 'postgres', '-c', 'create table mark (id int)')).toContain('CREATE TABLE')
})
