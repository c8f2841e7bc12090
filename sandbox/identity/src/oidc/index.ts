/** Mounts an OpenID provider under its name, with our chooser for its interactions. */
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { isDatabaseAway } from '@keybay/sandbox-service/database'
import { Hono } from 'hono'
import { chooserPage, expiredPage } from '../pages/chooser.js'
import type { Services } from '../services.js'
import { getUser } from '../users.js'
import { createOpenIdProvider, getSubject, type OpenIdProvider } from './provider.js'

/** Ignores the error for an interaction that is unknown or expired. @throws the error of a database that is away */
function ignoreUnknown(error: unknown): undefined {
  if (isDatabaseAway(error)) throw error
}

export function openIdApp(services: Services, openId: OpenIdProvider): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>()
  const provider = createOpenIdProvider(services, openId)
  const handle = provider.callback()
  const { host } = new URL(services.publicUrl)
  app.get('/interaction/:uid', async c => {
    const { incoming, outgoing } = c.env
    const details = await provider.interactionDetails(incoming, outgoing).catch(ignoreUnknown)
    if (!details) return expiredPage(openId)
    return chooserPage(openId, `/${openId.id}/interaction/${details.uid}`)
  })
  app.post('/interaction/:uid', async c => {
    const { incoming, outgoing } = c.env
    const user = getUser((await c.req.parseBody()).user)
    const result = user
      ? { login: { accountId: getSubject(user) }, select_account: {} }
      : { error: 'access_denied', error_description: 'The user said no.' }
    const location = await provider
      .interactionResult(incoming, outgoing, result, { mergeWithLastSubmission: false })
      .catch(ignoreUnknown)
    return location === undefined ? expiredPage(openId) : c.redirect(location, 303)
  })
  app.all('*', async c => {
    const { incoming, outgoing } = c.env
    const url = new URL(c.req.url)
    const { returns } = services.faults.of(openId.id)
    if (url.pathname === `/${openId.id}${openId.routes.authorization}` && returns !== undefined) {
      const back = new URL(url.searchParams.get('redirect_uri') ?? services.publicUrl)
      const state = url.searchParams.get('state') ?? ''
      back.searchParams.set('state', returns === 'state' ? 'another' : state)
      back.searchParams.set('iss', `${services.publicUrl}/${openId.id}`)
      if (returns === 'denied') back.searchParams.set('error', 'access_denied')
      if (returns === 'server_error') back.searchParams.set('error', 'server_error')
      if (returns === 'state') back.searchParams.set('code', 'x')
      return c.redirect(back.href, 303)
    }
    if (url.pathname.endsWith('/userinfo') && services.faults.of(openId.id).rubbish) return c.json({ hello: 'world' })
    // oidc-provider builds addresses from the Host header; Node's clients use another host.
    incoming.headers.host = host
    Object.assign(incoming, { originalUrl: incoming.url })
    incoming.url = incoming.url?.slice(openId.id.length + 1)
    await handle(incoming, outgoing)
    // A clone is Node's own response. @hono/node-server has a lighter one, whose head it would write a second time.
    return RESPONSE_ALREADY_SENT.clone()
  })
  return app
}
