/** Finds a provider's endpoints: in its discovery document, or in its server half. */
import type { OAuthProvider } from '@keybay/social/server'
import { importPKCS8, SignJWT } from 'jose'
import {
  type AuthorizationServer,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  processDiscoveryResponse,
} from 'oauth4webapi'
import { ApiError } from '../http/errors.js'
import { unexpected } from './fault.js'
import { ask } from './http.js'
import type { ActiveProvider, SocialClient } from './registry.js'

const FRESH = 10 * 60_000

export interface Endpoints {
  /** Server for oauth4webapi, with the addresses that this service uses. */
  readonly server: AuthorizationServer
  /** URL that the user is sent to. */
  readonly authorization: string
  readonly issuer: string | undefined
  readonly jwks: string | undefined
}

const discovered = new Map<string, { readonly at: number; readonly server: AuthorizationServer }>()

/** Fetches the discovery document and caches it for ten minutes. @throws ApiError `signin_error`, `general_error` */
async function discover(issuer: string, url: string, now: number): Promise<AuthorizationServer> {
  const cached = discovered.get(url)
  if (cached && Math.abs(now - cached.at) < FRESH) return cached.server
  const { status, text } = await ask(url)
  const response = new Response(text, { status, headers: { 'content-type': 'application/json' } })
  const server = await processDiscoveryResponse(new URL(issuer), response).catch(error => {
    throw error instanceof ApiError ? error : unexpected('discovery')
  })
  discovered.set(url, { at: now, server })
  return server
}

/** @throws ApiError `signin_error`, `general_error` */
export async function getEndpoints(
  { publicUrl, internalUrl }: ActiveProvider,
  provider: OAuthProvider,
  shop: string | undefined,
  now: number,
): Promise<Endpoints> {
  const { endpoints, idToken } = provider
  if (provider.issuer !== undefined && endpoints === undefined) {
    const issuer = publicUrl(provider.issuer)
    const path = '/.well-known/openid-configuration'
    const document = await discover(issuer, `${internalUrl(provider.issuer)}${path}`, now)
    // The document lists public addresses, and identity's are for browsers only.
    const reach = (url: string | undefined) => url?.replace(issuer, internalUrl(provider.issuer ?? ''))
    const token_endpoint = reach(document.token_endpoint)
    const { authorization_endpoint: authorization } = document
    if (authorization === undefined || token_endpoint === undefined) throw unexpected('discovery')
    return { server: { ...document, token_endpoint }, authorization, issuer, jwks: reach(document.jwks_uri) }
  }
  const fill = (url: string) => url.replace('{shop}', shop ?? '')
  const authorization = publicUrl(fill(endpoints?.authorization ?? ''))
  return {
    server: { issuer: new URL(authorization).origin, token_endpoint: internalUrl(fill(endpoints?.token ?? '')) },
    authorization,
    issuer: idToken && publicUrl(idToken.issuer),
    jwks: idToken?.jwks && internalUrl(idToken.jwks),
  }
}

const LIFETIME = 300
/** Audience of https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret */
const APPLE = 'https://appleid.apple.com'

/** Returns a JWT signed with the operator's key, or the operator's own JWT. */
async function signed({ id, secret, team = '', keyId = '' }: SocialClient, seconds: number): Promise<string> {
  if (!secret.includes('BEGIN')) return secret
  // Some systems do not allow line breaks in variables.
  const key = await importPKCS8(secret.replaceAll('\\n', '\n'), 'ES256')
  return new SignJWT({ iss: team, sub: id, aud: APPLE, iat: seconds, exp: seconds + LIFETIME })
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .sign(key)
}

/** @param seconds now */
export async function getClientAuth(
  { clientAuthentication, clientIdName, signedSecret }: OAuthProvider,
  client: SocialClient,
  seconds: number,
): Promise<ClientAuth> {
  const secret = signedSecret ? await signed(client, seconds) : client.secret
  const known = clientAuthentication === 'basic' ? ClientSecretBasic(secret) : ClientSecretPost(secret)
  if (clientIdName === undefined) return known
  return async (server, id, body, headers) => {
    await known(server, id, body, headers)
    body.set(clientIdName, id.client_id)
  }
}
