/** Mounts an OpenID provider under its name, with our chooser for its interactions. */
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { chooserPage } from '../pages/chooser.js'
import { errorPage } from '../pages/layout.js'
import { getPerson } from '../people.js'
import type { Services } from '../services.js'
import { createOpenIdProvider, getSubject, type OpenIdProvider } from './provider.js'

export function openIdApp(services: Services, one: OpenIdProvider): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>()
  const provider = createOpenIdProvider(services, one)
  const handle = provider.callback()
  const { host } = new URL(services.publicUrl)
  const gone = () => errorPage(one.name, 'expired', 'This page is too old. Begin again in the app.')
  app.get('/interaction/:uid', async c => {
    const { incoming, outgoing } = c.env
    const details = await provider.interactionDetails(incoming, outgoing).catch(() => undefined)
    if (!details) return gone()
    return chooserPage(one.name, 'Keybay', `/${one.id}/interaction/${details.uid}`)
  })
  app.post('/interaction/:uid', async c => {
    const { incoming, outgoing } = c.env
    const person = getPerson((await c.req.parseBody()).person)
    const result = person
      ? { login: { accountId: getSubject(person) }, select_account: {} }
      : { error: 'access_denied', error_description: 'The user said no.' }
    const location = await provider
      .interactionResult(incoming, outgoing, result, { mergeWithLastSubmission: false })
      .catch(() => undefined)
    return location === undefined ? gone() : c.redirect(location, 303)
  })
  app.all('*', async c => {
    const { incoming, outgoing } = c.env
    const url = new URL(c.req.url)
    const { returns } = services.faults.of(one.id)
    if (url.pathname === `/${one.id}${one.routes.authorization}` && returns !== undefined) {
      const back = new URL(url.searchParams.get('redirect_uri') ?? services.publicUrl)
      const state = url.searchParams.get('state') ?? ''
      back.searchParams.set('state', returns === 'state' ? 'another' : state)
      back.searchParams.set('iss', `${services.publicUrl}/${one.id}`)
      if (returns === 'denied') back.searchParams.set('error', 'access_denied')
      if (returns === 'server_error') back.searchParams.set('error', 'server_error')
      if (returns === 'state') back.searchParams.set('code', 'x')
      return c.redirect(back.href, 303)
    }
    if (url.pathname.endsWith('/userinfo') && services.faults.of(one.id).rubbish) return c.json({ hello: 'world' })
    // oidc-provider builds addresses from the Host header; Node's clients use another host.
    incoming.headers.host = host
    Object.assign(incoming, { originalUrl: incoming.url })
    incoming.url = incoming.url?.slice(one.id.length + 1)
    await handle(incoming, outgoing)
    return RESPONSE_ALREADY_SENT
  })
  return app
}
