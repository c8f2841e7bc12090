/** Authenticates the API at a provider's token endpoint. */
import type { OAuthProvider } from '@keybay/social/server'
import { importPKCS8, SignJWT } from 'jose'
import { type ClientAuth, ClientSecretBasic, ClientSecretPost } from 'oauth4webapi'
import type { SocialClient } from './registry.js'

const LIFETIME = 300
/**
 * Audience of the secret:
 * https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret
 */
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
