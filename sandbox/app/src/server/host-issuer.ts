/**
 * The host's own accounts, for sign-in with an external JWT: a key of this server signs who the user is, and the product
 * API checks it with the keys at `/.well-known/jwks.json`. As this is a sandbox, the host asks for no password.
 */
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** How long a token serves: it is shown at once. */
const LIFETIME = '5m'
const NAME = /^[\w.@-]{1,64}$/

export interface HostIssuer {
  /** The JSON Web Key Set (RFC 7517). */
  readonly keySet: string
  /**
   * A token for a user of the host, or undefined when `body` names none.
   *
   * @param issuer the address of the host, which the product API expects as `iss`
   * @param body `{ "user": "mara" }`
   */
  issue(issuer: string, body: unknown): Promise<string | undefined>
}

/** @param audience the environment, which the product API expects as `aud` */
export async function createHostIssuer(audience: string): Promise<HostIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  // The key is new with each start, and so is its name: a verifier that does not know it asks for the set again.
  const kid = `host-${jwk.x?.slice(0, 8)}`
  return {
    keySet: JSON.stringify({ keys: [{ ...jwk, kid, alg: 'ES256', use: 'sig' }] }),
    async issue(issuer, body) {
      const user = typeof body === 'object' && body !== null && 'user' in body ? body.user : undefined
      if (typeof user !== 'string' || !NAME.test(user)) return undefined
      return new SignJWT()
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
        .setSubject(user)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime(LIFETIME)
        .sign(privateKey)
    },
  }
}
