/** Issues ID tokens, with a defect if a test sets one. */
import { generateKeyPair, importJWK, SignJWT } from 'jose'
import { sandboxClient } from '../clients.js'
import type { Services } from '../services.js'
import type { Grant, StandIn } from './types.js'

const LIFETIME = 3600

export async function getIdToken(
  { standIn, services }: { standIn: StandIn; services: Services },
  grant: Grant,
): Promise<string | undefined> {
  const { idToken } = standIn
  if (!idToken) return undefined
  const fault = services.faults.of(standIn.id)
  const now = services.clock.seconds + (fault.skew ?? 0)
  const { nonce } = grant
  const claims = {
    iss: `${services.publicUrl}/${standIn.id}${fault.idToken === 'issuer' ? '/other' : idToken.issuerPath}`,
    aud: fault.idToken === 'audience' ? 'another-client' : grant.clientId,
    iat: now,
    exp: now + LIFETIME,
    ...(idToken.nonce && nonce !== undefined && { nonce: fault.idToken === 'nonce' ? `${nonce}x` : nonce }),
    ...idToken.claims(grant.user, grant),
  }
  const { algorithm } = idToken
  if (algorithm === 'HS256') {
    const secret = fault.idToken === 'signature' ? 'another' : sandboxClient(standIn.id).secret
    return new SignJWT(claims).setProtectedHeader({ alg: algorithm, typ: 'JWT' }).sign(new TextEncoder().encode(secret))
  }
  const { signing } = services.keys
  const key =
    fault.idToken === 'signature' ? (await generateKeyPair('RS256')).privateKey : await importJWK(signing, 'RS256')
  return new SignJWT(claims).setProtectedHeader({ alg: algorithm, typ: 'JWT', kid: signing.kid }).sign(key)
}

/** Returns the public keys (RFC 7517). */
export function getJwks({ keys }: Services): object {
  const { kty, n, e, kid, alg, use } = keys.signing
  return { keys: [{ kty, n, e, kid, alg, use }] }
}
