/** What answers where: each provider under its name, the storage that people have there, and what runs it. */
import { isStandInRequest } from '@keybay/sandbox-service'
import { mountHealth } from '@keybay/sandbox-service/json'
import { Hono, type MiddlewareHandler } from 'hono'
import { mountStandIn } from '../oauth/index.js'
import { openIdApp } from '../oidc/index.js'
import { OPENID_PROVIDERS } from '../oidc/provider.js'
import { mountAppleScript } from '../others/apple-script.js'
import { mountFarcaster } from '../others/farcaster.js'
import { mountSteam } from '../others/steam.js'
import { mountTelegram } from '../others/telegram.js'
import { STAND_INS } from '../providers/index.js'
import type { Services } from '../services.js'
import { storageApp } from '../storage/index.js'

export interface AppParts {
  readonly services: Services
  /** Resolves while the database answers. */
  readonly ready: () => Promise<void>
}

/** Slow and down, for any provider. */
function badDay({ faults }: Services): MiddlewareHandler {
  return async (c, next) => {
    const { slow = 0, down = false } = faults.of(c.req.path.split('/')[1] ?? '')
    if (slow > 0) await new Promise(resolve => setTimeout(resolve, slow))
    if (down) return c.text('Service Unavailable', 503)
    return next()
  }
}

export function createApp({ services, ready }: AppParts): Hono {
  const app = new Hono()
  mountHealth(app, ready)
  app.use(async (c, next) => {
    if (isStandInRequest({ header: name => c.req.header(name) })) return next()
    return c.text('This service makes up its users, so it answers no public name.', 403)
  })
  app.use(badDay(services))
  for (const standIn of STAND_INS) mountStandIn(app, standIn, services)
  mountAppleScript(app, services.publicUrl)
  mountTelegram(app, services)
  mountSteam(app, services)
  mountFarcaster(app, services)
  app.route('/', storageApp(services))
  for (const one of OPENID_PROVIDERS) app.route(`/${one.id}`, openIdApp(services, one))
  app.onError((error, c) => {
    services.log({ level: 'error', message: 'unexpected error', error: error.stack ?? error.message })
    return c.json({ error: 'server_error' }, 500)
  })
  return app
}
