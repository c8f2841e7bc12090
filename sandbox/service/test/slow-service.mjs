// A service in production whose route `/slow` takes 6 s, and which has a database.
import { defineDatabase } from '../dist/database/open.js'
import { defineService } from '../dist/define-service.js'
import { runService } from '../dist/run.js'

const openDatabase = defineDatabase({
  schema: {},
  migrations: new URL('migrations/', import.meta.url),
  migrationLock: 9,
})
const start = defineService({
  name: 'demo',
  create: async parts => {
    await parts.openDatabase(openDatabase)
    return ({ app }) => {
      app.get('/fast', c => c.text('fast'))
      app.get('/slow', async c => {
        process.send?.('slow begins')
        await new Promise(resolve => setTimeout(resolve, 6_000))
        return c.text('whole')
      })
      return { facts: {} }
    }
  },
})
await runService({ name: 'demo', settings: {}, read: () => ({}), start })
