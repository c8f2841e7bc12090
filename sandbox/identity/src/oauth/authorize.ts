/**
 * Serves the authorization endpoint: checks the request as strictly as the provider, shows the chooser, sends the user
 * back.
 */
import type { Context, Hono } from 'hono'
import * as v from 'valibot'
import { isRegistered, sandboxClient } from '../clients.js'
import { chooserPage, expiredPage, formPostPage, PAGE_SECONDS } from '../pages/chooser.js'
import { errorPage } from '../pages/layout.js'
import type { Services } from '../services.js'
import { getUser, type User } from '../users.js'
import type { Grant, StandIn } from './types.js'

const YEAR = 365 * 86_400

/** Checked request, stored while the user chooses. */
const waitingSchema = v.object({
  redirectUri: v.string(),
  state: v.string(),
  scopes: v.array(v.string()),
  nonce: v.optional(v.string()),
  codeChallenge: v.optional(v.string()),
  formPost: v.boolean(),
  shop: v.optional(v.string()),
})
type Waiting = v.InferOutput<typeof waitingSchema>

interface Refusal {
  readonly error: string
  readonly description: string
}

function getRefusal(standIn: StandIn, parameters: URLSearchParams): Refusal | undefined {
  const refuse = (error: string, description: string): Refusal => ({ error, description })
  const names = [...parameters.keys()]
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) return refuse('invalid_request', `The parameter ${twice} is there twice.`)
  // Shopify has one response type, and no name for it.
  if (!standIn.shops && parameters.get('response_type') !== 'code')
    return refuse('unsupported_response_type', 'response_type must be code.')
  for (const [name, values] of Object.entries(standIn.demands ?? {})) {
    if (!values.includes(parameters.get(name) ?? ''))
      return refuse('invalid_request', `${name} must be ${values.join(' or ')}.`)
  }
  const scopes = getScopes(standIn, parameters)
  const unknown = scopes.find(scope => !standIn.scopes.includes(scope))
  if (unknown !== undefined) return refuse('invalid_scope', `The scope ${unknown} is not known.`)
  const challenge = parameters.get('code_challenge')
  if (standIn.pkce === 'required' && challenge === null) return refuse('invalid_request', 'code_challenge is missing.')
  if (standIn.pkce !== 'none' && challenge !== null) {
    if (parameters.get('code_challenge_method') !== 'S256')
      return refuse('invalid_request', 'code_challenge_method must be S256.')
    if (!/^[\w-]{43}$/.test(challenge)) return refuse('invalid_request', 'code_challenge is no SHA-256.')
  }
  return undefined
}

function getScopes({ scopeSeparator = ' ' }: StandIn, parameters: URLSearchParams): string[] {
  return (parameters.get('scope') ?? '').split(scopeSeparator).filter(scope => scope !== '')
}

/** Sends the user back, with the provider's own additions. */
function goBack(
  { standIn, services }: { standIn: StandIn; services: Services },
  waiting: Waiting,
  fields: Readonly<Record<string, string>>,
): Response | Promise<Response> {
  const state = services.faults.of(standIn.id).returns === 'state' ? 'another' : waiting.state
  const all = { ...fields, ...(waiting.state !== '' && { state }) }
  if (waiting.formPost) return formPostPage(waiting.redirectUri, all)
  const url = new URL(waiting.redirectUri)
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value)
  url.hash = standIn.returnFragment ?? ''
  return new Response(null, { status: 303, headers: { location: url.href, 'cache-control': 'no-store' } })
}

async function begin(parts: { standIn: StandIn; services: Services }, c: Context): Promise<Response> {
  const { standIn, services } = parts
  const parameters = new URL(c.req.url).searchParams
  const clientId = parameters.get(standIn.clientIdName ?? 'client_id')
  // The client is unknown, so the user is redirected nowhere.
  if (clientId !== sandboxClient(standIn.id).id)
    return errorPage(standIn.name, 'invalid_client', `${standIn.clientIdName ?? 'client_id'} is not known.`)
  const redirectUri = parameters.get('redirect_uri') ?? ''
  if (!isRegistered(standIn.id, redirectUri, services.redirectUris))
    return errorPage(standIn.name, 'redirect_uri_mismatch', 'redirect_uri is not one that is registered for this app.')
  const waiting: Waiting = {
    redirectUri,
    state: parameters.get('state') ?? '',
    scopes: getScopes(standIn, parameters),
    nonce: parameters.get('nonce') ?? undefined,
    codeChallenge: standIn.pkce === 'none' ? undefined : (parameters.get('code_challenge') ?? undefined),
    formPost: standIn.formPost ?? false,
    shop: standIn.shops ? c.req.param('shop') : undefined,
  }
  const refusal = getRefusal(standIn, parameters)
  if (refusal) return goBack(parts, waiting, { error: refusal.error, error_description: refusal.description })
  const { returns } = services.faults.of(standIn.id)
  if (returns === 'denied')
    return goBack(parts, waiting, { error: 'access_denied', error_description: 'The user said no.' })
  if (returns === 'server_error')
    return goBack(parts, waiting, { error: 'server_error', error_description: 'Something went wrong here.' })
  const id = await services.records.put(`${standIn.id}/page`, { ...waiting }, PAGE_SECONDS)
  return chooserPage(standIn, `/${standIn.id}/choose/${id}`)
}

async function consented({ records }: Services, provider: string, user: User): Promise<boolean> {
  const known = (await records.get(`${provider}/consent`, user.key)) !== undefined
  await records.put(`${provider}/consent`, {}, YEAR, user.key)
  return known
}

async function choose(parts: { standIn: StandIn; services: Services }, c: Context): Promise<Response> {
  const { standIn, services } = parts
  const stored = await services.records.take(`${standIn.id}/page`, c.req.param('id') ?? '')
  if (!stored) return expiredPage(standIn)
  const waiting = v.parse(waitingSchema, stored)
  const form = await c.req.parseBody()
  const user = getUser(form.user)
  if (!user) return goBack(parts, waiting, { error: 'access_denied', error_description: 'The user said no.' })
  const { redirectUri, scopes, nonce, codeChallenge, shop } = waiting
  const clientId = sandboxClient(standIn.id).id
  const first = !(await consented(services, standIn.id, user))
  const grant: Grant = { user, scopes, clientId, redirectUri, nonce, codeChallenge, shop, first }
  const kind = `${standIn.id}/code`
  const code = await services.records.put(kind, { ...grant, user: user.key }, standIn.codeSeconds ?? 600)
  const fields = {
    ...(services.faults.of(standIn.id).returns !== 'no_code' && { code }),
    ...(waiting.state !== '' && { state: waiting.state }),
  }
  return goBack(parts, waiting, { ...fields, ...standIn.returns?.({ services, grant, fields }) })
}

export function mountAuthorize(app: Hono, parts: { standIn: StandIn; services: Services }): void {
  const { id, authorizePath, shops } = parts.standIn
  app.get(`/${id}${shops ? '/:shop' : ''}${authorizePath}`, c => begin(parts, c))
  app.post(`/${id}/choose/:id`, c => choose(parts, c))
}
