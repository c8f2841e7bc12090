/** Mounts a provider that speaks OAuth 2.0 in its own dialect. */
import type { Hono } from 'hono'
import { sandboxClient } from '../clients.js'
import type { Services } from '../services.js'
import { getUser } from '../users.js'
import { mountAuthorize } from './authorize.js'
import { getJwks } from './id-token.js'
import { mountToken } from './token.js'
import type { Resource, StandIn } from './types.js'

function filled(text: string, standIn: StandIn): string {
  return text.replace('{clientId}', sandboxClient(standIn.id).id)
}

function mountResource(app: Hono, standIn: StandIn, services: Services, resource: Resource): void {
  app.on(resource.method ?? 'GET', `/${standIn.id}${resource.path}`, async c => {
    const refuse = (status: number) =>
      Response.json(standIn.resourceError?.(status) ?? { error: status === 401 ? 'invalid_token' : 'forbidden' }, {
        status,
      })
    const query = new URL(c.req.url).searchParams
    const [, bearer] = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '') ?? []
    const token = bearer ?? query.get(resource.tokenParameter ?? '') ?? ''
    const stored = await services.records.get(`${standIn.id}/token`, token)
    const user = getUser(stored?.user)
    if (!stored || !user) return refuse(401)
    const requiredHeaders = Object.entries(resource.headers ?? {})
    if (requiredHeaders.some(([name, value]) => c.req.header(name) !== filled(value, standIn))) return refuse(400)
    if (resource.query?.some(name => !query.get(name))) return refuse(400)
    const scopes = Array.isArray(stored.scopes) ? stored.scopes.map(String) : []
    if (resource.scopes && !resource.scopes.some(scope => scopes.includes(scope))) return refuse(403)
    if (services.faults.of(standIn.id).rubbish) return c.json({ hello: 'world' })
    return Response.json(resource.answer(user, { scopes, query }))
  })
}

export function mountStandIn(app: Hono, standIn: StandIn, services: Services): void {
  mountAuthorize(app, { standIn, services })
  mountToken(app, { standIn, services })
  for (const resource of standIn.resources) mountResource(app, standIn, services, resource)
  const { jwksPath } = standIn.idToken ?? {}
  if (jwksPath !== undefined) app.get(`/${standIn.id}${jwksPath}`, c => c.json(getJwks(services)))
}
