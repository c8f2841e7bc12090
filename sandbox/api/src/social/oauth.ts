/** OAuth 2.0 with the providers' variations: the authorization URL, and the code exchange. */
import { type Answers, type OAuthProvider, profileOf } from '@keybay/social/server'
import {
  AuthorizationResponseError,
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  customFetch,
  nopkce,
  processAuthorizationCodeResponse,
  validateAuthResponse,
} from 'oauth4webapi'
import * as v from 'valibot'
import { nothingCame, notVerified, providerRefused, unexpected } from './fault.js'
import type { Attempt, Learned, ProviderTokens } from './flow.js'
import { ask, type ProviderAnswer } from './http.js'
import { verifyIdToken } from './id-token.js'
import type { ActiveProvider, SocialClient } from './registry.js'
import { getClientAuth, getEndpoints } from './server.js'
import { verifyShopAnswer } from './shop.js'

export interface Request {
  readonly redirectUri: string
  readonly stateHash: string
  readonly nonceHash: string | undefined
  readonly codeChallenge: string
  readonly scopes: readonly string[]
  readonly shop: string | undefined
  /** In ms since epoch. */
  readonly now: number
}

/** @throws ApiError `signin_error`, `general_error` when discovery fails */
export async function authorizationUrl(active: ActiveProvider, provider: OAuthProvider, request: Request) {
  const { authorization } = await getEndpoints(active, provider, request.shop, request.now)
  const url = new URL(authorization)
  const set = (name: string, value: string) => url.searchParams.set(name, value)
  set(provider.clientIdName ?? 'client_id', active.client.id)
  set('redirect_uri', request.redirectUri)
  if (!provider.shops) set('response_type', 'code')
  set('scope', request.scopes.join(provider.scopeSeparator ?? ' '))
  set('state', request.stateHash)
  const repeatsNonce = provider.idToken ? provider.idToken.nonce : provider.issuer !== undefined
  if (repeatsNonce && request.nonceHash !== undefined) set('nonce', request.nonceHash)
  if (provider.pkce) {
    set('code_challenge', request.codeChallenge)
    set('code_challenge_method', 'S256')
  }
  for (const [name, value] of Object.entries(provider.parameters ?? {})) set(name, value)
  return url.href
}

/** Places of a provider's error, the shortest text first. TikTok's successful responses have an empty `error.message`. */
const ERROR_PATHS = ['error', 'error.message', 'error_message', 'errors[0].message', 'errorCode', 'message', 'detail']

function getError(json: unknown): string | undefined {
  return profileOf({ id: ERROR_PATHS.map(path => `json.${path}`) }, { json })?.id
}

const tokensSchema = v.looseObject({
  access_token: v.pipe(v.string(), v.minLength(1)),
  token_type: v.optional(v.string(), 'bearer'),
  refresh_token: v.optional(v.string()),
  expires_in: v.optional(v.union([v.number(), v.pipe(v.string(), v.transform(Number))])),
  scope: v.optional(
    v.union([
      v.string(),
      v.pipe(
        v.array(v.string()),
        v.transform(list => list.join(' ')),
      ),
    ]),
  ),
  /** Bitbucket's and Instagram's names for the scope. */
  scopes: v.optional(v.string()),
  permissions: v.optional(v.string()),
  id_token: v.optional(v.string()),
})
type Tokens = v.InferOutput<typeof tokensSchema>

function readTokens(provider: OAuthProvider, { status, json }: ProviderAnswer): Tokens {
  const error = getError(json)
  if (error !== undefined || status >= 400) throw providerRefused(provider.id, error ?? `status ${status}`)
  const list = v.safeParse(v.object({ data: v.tuple([v.unknown()]) }), json)
  const tokens = v.safeParse(tokensSchema, provider.tokensAt === 'data[0]' && list.success ? list.output.data[0] : json)
  if (!tokens.success) throw unexpected('tokens')
  return tokens.output
}

interface Exchange {
  readonly attempt: Attempt
  readonly provider: OAuthProvider
  readonly server: AuthorizationServer
}

/** Returns the returned parameters, checked by oauth4webapi: the state, and the issuer if the provider sends it. */
function checkedReturn({ attempt, provider, server }: Exchange, hasIssuer: boolean): URLSearchParams {
  const { params, flow } = attempt
  if (!params.code) throw nothingCame(provider.id)
  const returned = new URLSearchParams({ code: params.code, state: params.state ?? flow.stateHash })
  if (hasIssuer && params.iss !== undefined) returned.set('iss', params.iss)
  try {
    // A client that checked the state itself does not pass `iss` on; the redirect path then identifies the provider.
    const known = { ...server, authorization_response_iss_parameter_supported: false }
    return validateAuthResponse(known, { client_id: attempt.active.client.id }, returned, flow.stateHash)
  } catch (error) {
    throw error instanceof AuthorizationResponseError
      ? providerRefused(provider.id, error.error)
      : notVerified('issuer')
  }
}

async function exchangeCode(exchange: Exchange, returned: URLSearchParams): Promise<Tokens> {
  const { attempt, provider, server } = exchange
  const { active, call, codeVerifier, flow } = attempt
  const client = { client_id: active.client.id }
  let answer: ProviderAnswer | undefined
  await authorizationCodeGrantRequest(
    server,
    client,
    await getClientAuth(provider, active.client, Math.floor(call.services.clock.now() / 1000)),
    returned,
    flow.redirectUri,
    provider.pkce ? codeVerifier : nopkce,
    {
      // Only identity, on this machine, is reached without TLS.
      [allowInsecureRequests]: server.token_endpoint?.startsWith('http:') ?? false,
      [customFetch]: async (url, { method, headers, body }) => {
        answer = await ask(url, { method, headers, body: String(body) })
        return new Response(null)
      },
    },
  )
  const tokens = readTokens(provider, answer ?? { status: 0, json: undefined, text: '' })
  // The ID token is verified separately, with its signature and by our clock.
  const { id_token: _, ...plain } = tokens
  const normalized = new Response(JSON.stringify({ ...plain, token_type: 'bearer' }), {
    headers: { 'content-type': 'application/json' },
  })
  await processAuthorizationCodeResponse(server, client, normalized).catch(() => {
    throw unexpected('tokens')
  })
  // Providers may omit the scope if it equals the requested one (RFC 6749 §5.1).
  const scope = tokens.scope || tokens.scopes || tokens.permissions || flow.scopes.join(' ')
  return { ...tokens, scope }
}

function fill(text: string, { id }: SocialClient, shop: string | undefined): string {
  return text.replace('{clientId}', id).replace('{shop}', shop ?? '')
}

async function readSources({ attempt, provider }: Exchange, tokens: Tokens): Promise<Answers> {
  const { active, flow } = attempt
  const granted = tokens.scope?.split(/[\s,]+/) ?? []
  const grantedSources = Object.entries(provider.sources ?? {}).filter(
    ([, { scope }]) => !scope || granted.includes(scope),
  )
  const entries = grantedSources.map(async ([name, { url, headers = {}, optional }]) => {
    const sourceHeaders = Object.fromEntries(
      Object.entries(headers).map(([header, value]) => [header, fill(value, active.client, flow.shop)]),
    )
    const { status, json } = await ask(active.internalUrl(fill(url, active.client, flow.shop)), {
      headers: { ...sourceHeaders, authorization: `Bearer ${tokens.access_token}` },
    })
    if (status >= 300 || json === undefined) {
      if (optional) return [name, undefined] as const
      const error = status >= 400 ? getError(json) : undefined
      throw error === undefined ? unexpected(name) : providerRefused(provider.id, error)
    }
    return [name, json] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

function toProviderTokens(tokens: Tokens, now: number): ProviderTokens {
  return {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    scope: tokens.scope,
    ...(tokens.expires_in !== undefined && { expiresAt: now + tokens.expires_in * 1000 }),
  }
}

/** Checks that the user info belongs to the subject of the ID token (OpenID Connect Core §5.3.2). */
function assertSameUser(answers: Answers): void {
  const subject = (name: string) => profileOf({ id: `${name}.sub` }, answers)?.id
  const [userSubject, known] = [subject('user'), subject('idToken')]
  if (userSubject !== undefined && known !== undefined && userSubject !== known) throw notVerified('sub')
}

/** @throws ApiError as listed in the README's table */
export async function proveOAuth(attempt: Attempt, provider: OAuthProvider, form: unknown): Promise<Learned> {
  const { active, call, flow, params } = attempt
  const now = call.services.clock.now()
  const { server, issuer, jwks } = await getEndpoints(active, provider, flow.shop, now)
  const exchange: Exchange = { attempt, provider, server }
  const returned = checkedReturn(exchange, issuer !== undefined)
  if (provider.shops)
    verifyShopAnswer({ ...params, state: flow.stateHash }, { secret: active.client.secret, shop: flow.shop, now })
  const tokens = await exchangeCode(exchange, returned)
  let idToken: unknown
  if (issuer !== undefined) {
    if (tokens.id_token === undefined) throw unexpected('id_token')
    const repeatsNonce = provider.idToken ? provider.idToken.nonce : true
    idToken = await verifyIdToken(tokens.id_token, {
      issuer,
      audience: active.client.id,
      nonce: repeatsNonce ? flow.nonceHash : undefined,
      jwks,
      secret: active.client.secret,
      now,
    })
  }
  const answers = { ...(await readSources(exchange, tokens)), idToken, token: tokens, form }
  assertSameUser(answers)
  const { unkept } = provider
  return { answers, ...(!unkept?.test(tokens.scope ?? '') && { tokens: toProviderTokens(tokens, now) }) }
}
