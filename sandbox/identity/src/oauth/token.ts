/** Serves the token endpoint: exchanges a code for tokens, once, for the client that the code was issued to. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { jwtVerify } from 'jose'
import * as v from 'valibot'
import { APPLE_KEY_ID, APPLE_TEAM, applePublicKey, sandboxClient } from '../clients.js'
import type { Services } from '../services.js'
import { getIdToken } from './id-token.js'
import { type Grant, grantSchema, type Issued, type StandIn } from './types.js'

const HOUR = 3600
const MONTH = 30 * 24 * HOUR

interface Parts {
  readonly standIn: StandIn
  readonly services: Services
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function decode(text: string): string {
  return decodeURIComponent(text.replace(/\+/g, ' '))
}

/** Reads client id and secret only from the place that the provider accepts. */
function getCredentials({ standIn }: Parts, c: Context, form: URLSearchParams) {
  if (standIn.clientAuthentication !== 'basic')
    return { id: form.get(standIn.clientIdName ?? 'client_id') ?? '', secret: form.get('client_secret') ?? '' }
  const [, basic = ''] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(c.req.header('authorization') ?? '') ?? []
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':').map(decode)
  return { id, secret }
}

/** Checks Apple's secret: a JWT signed with the developer's key, valid for half a year at most. */
async function isAppleSecret({ services }: Parts, clientId: string, secret: string): Promise<boolean> {
  try {
    const { payload, protectedHeader } = await jwtVerify(secret, applePublicKey(), {
      algorithms: ['ES256'],
      issuer: APPLE_TEAM,
      subject: clientId,
      audience: 'https://appleid.apple.com',
      requiredClaims: ['iat', 'exp'],
      currentDate: new Date(services.clock.now()),
      clockTolerance: 60,
    })
    const { iat = 0, exp = Infinity } = payload
    return protectedHeader.kid === APPLE_KEY_ID && exp - iat <= 15_777_000
  } catch {
    return false
  }
}

async function isClient(parts: Parts, c: Context, form: URLSearchParams): Promise<boolean> {
  const { standIn } = parts
  const { id, secret } = getCredentials(parts, c, form)
  const client = sandboxClient(standIn.id)
  if (id !== client.id) return false
  return standIn.clientAuthentication === 'apple' ? isAppleSecret(parts, id, secret) : same(secret, client.secret)
}

function refuse({ standIn }: Parts, status: number, error: string, description: string): Response {
  const tokenError = standIn.tokenError?.(error, description)
  return Response.json(tokenError?.body ?? { error, error_description: description }, {
    status: tokenError?.status ?? status,
    headers: { 'cache-control': 'no-store' },
  })
}

function wrongWith(
  { standIn }: Parts,
  grant: Grant,
  form: URLSearchParams,
  shop: string | undefined,
): string | undefined {
  // Shopify requires neither.
  if (!standIn.shops && form.get('redirect_uri') !== grant.redirectUri) return 'redirect_uri is not that of the code.'
  if (grant.shop !== shop) return 'The code is for another shop.'
  if (grant.codeChallenge === undefined) return undefined
  const verifier = form.get('code_verifier') ?? ''
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return same(challenge, grant.codeChallenge) ? undefined : 'code_verifier does not fit.'
}

async function exchange(parts: Parts, c: Context): Promise<Response> {
  const { standIn, services } = parts
  const { records } = services
  if (!/^application\/x-www-form-urlencoded\b/.test(c.req.header('content-type') ?? ''))
    return refuse(parts, 400, 'invalid_request', 'Send a form.')
  const form = new URLSearchParams(await c.req.text())
  if (!(await isClient(parts, c, form)))
    return refuse(parts, 401, 'invalid_client', 'The client or its secret is wrong.')
  if (form.get('grant_type') === 'refresh_token') return renew(parts, form)
  if (!standIn.shops && form.get('grant_type') !== 'authorization_code')
    return refuse(parts, 400, 'unsupported_grant_type', 'grant_type must be authorization_code.')
  const stored = await records.take(`${standIn.id}/code`, form.get('code') ?? '')
  const { success, output: grant } = v.safeParse(grantSchema, stored)
  if (!success) return refuse(parts, 400, 'invalid_grant', 'The code is wrong, expired or used.')
  const wrong = wrongWith(parts, grant, form, c.req.param('shop'))
  if (wrong !== undefined) return refuse(parts, 400, 'invalid_grant', wrong)
  const { user, scopes } = grant
  const idToken = await getIdToken(parts, grant)
  const issued: Issued = {
    access_token: await records.put(`${standIn.id}/token`, { user: user.key, scopes }, HOUR),
    token_type: 'Bearer',
    expires_in: HOUR,
    refresh_token: await records.put(`${standIn.id}/refresh`, { user: user.key, scopes }, MONTH),
    scope: scopes.join(' '),
    ...(idToken !== undefined && { id_token: idToken }),
  }
  return Response.json(standIn.tokens?.(issued, grant) ?? issued, { headers: { 'cache-control': 'no-store' } })
}

/** Issues a new access token; the refresh token stays. */
async function renew(parts: Parts, form: URLSearchParams): Promise<Response> {
  const { standIn, services } = parts
  const stored = await services.records.get(`${standIn.id}/refresh`, form.get('refresh_token') ?? '')
  if (!stored) return refuse(parts, 400, 'invalid_grant', 'The refresh token is wrong or expired.')
  const access_token = await services.records.put(`${standIn.id}/token`, stored, HOUR)
  return Response.json(
    { access_token, token_type: 'Bearer', expires_in: HOUR },
    { headers: { 'cache-control': 'no-store' } },
  )
}

export function mountToken(app: Hono, parts: Parts): void {
  const { id, tokenPath, shops } = parts.standIn
  app.post(`/${id}${shops ? '/:shop' : ''}${tokenPath}`, c => exchange(parts, c))
}
