/** What answers where: each provider under its name, the storage that people have there, and what runs it. */
import { Hono } from 'hono'
import type { Services } from '../services.js'

export interface AppParts {
  readonly services: Services
  /** Resolves while the database answers. */
  readonly ready: () => Promise<void>
}

export const createApp = ({ services, ready }: AppParts): Hono => {
  const app = new Hono()
  app.get('/health', c => c.json({ status: 'ok' }))
  app.get('/ready', async c => {
    const isReady = await ready().then(
      () => true,
      () => false,
    )
    return c.json({ status: isReady ? 'ready' : 'unavailable' }, isReady ? 200 : 503)
  })
  app.onError((error, c) => {
    services.log({ level: 'error', message: 'unexpected error', error: error.stack ?? error.message })
    return c.json({ error: 'server_error' }, 500)
  })
  return app
}
