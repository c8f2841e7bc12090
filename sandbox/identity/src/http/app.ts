/** Mounts each provider, and the users' storage there, under the provider's name. */
import { isStandInRequest } from '@keybay/sandbox-service'
import { isDatabaseAway, RETRY_AFTER_S } from '@keybay/sandbox-service/database'
import type { Hono, MiddlewareHandler } from 'hono'
import { mountStandIn } from '../oauth/index.js'
import { openIdApp } from '../oidc/index.js'
import { OPENID_PROVIDERS } from '../oidc/provider.js'
import { mountAppleScript } from '../others/apple-script.js'
import { mountFarcaster } from '../others/farcaster.js'
import { mountSteam } from '../others/steam.js'
import { mountTelegram } from '../others/telegram.js'
import * as providers from '../providers/index.js'
import type { Services } from '../services.js'
import { cloudKitApp } from '../storage/cloudkit.js'
import { driveApp } from '../storage/drive.js'

/** Makes a provider slow or unavailable, as tests set it. */
function injectFaults({ faults }: Services): MiddlewareHandler {
  return async (c, next) => {
    const { slow = 0, down = false } = faults.of(c.req.path.split('/')[1] ?? '')
    if (slow > 0) await new Promise(resolve => setTimeout(resolve, slow))
    if (down) return c.text('Service Unavailable', 503)
    return next()
  }
}

/** Adds the providers and their storage to the service's app. */
export function mountIdentity(app: Hono, services: Services): void {
  app.use(async (c, next) => {
    if (isStandInRequest({ header: name => c.req.header(name) })) return next()
    return c.text('This service makes up its users, so it answers no public name.', 403)
  })
  app.use(injectFaults(services))
  for (const provider of Object.values(providers)) mountStandIn(app, provider, services)
  mountAppleScript(app, services.publicUrl)
  mountTelegram(app, services)
  mountSteam(app, services)
  mountFarcaster(app, services)
  app.route('/', driveApp(services))
  app.route('/', cloudKitApp(services))
  for (const provider of OPENID_PROVIDERS) app.route(`/${provider.id}`, openIdApp(services, provider))
  app.onError((error, c) => {
    services.log({ level: 'error', message: 'unexpected error', error: error.stack ?? error.message })
    if (!isDatabaseAway(error)) return c.json({ error: 'server_error' }, 500)
    c.header('retry-after', String(RETRY_AFTER_S))
    return c.json({ error: 'temporarily_unavailable' }, 503)
  })
}
