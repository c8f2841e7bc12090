/**
 * Host accounts for sign-in with an external JWT: this server signs the user's identity with its own key, and the
 * product API verifies it with the keys at `/.well-known/jwks.json`. Because this is a sandbox, the host requires no
 * password.
 */
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** Lifetime of a token, which is used immediately. */
const LIFETIME = '5m'
const NAME = /^[\w.@-]{1,64}$/

/** @param audience the environment, which the product API expects as `aud` */
export async function createHostIssuer(audience: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  // Each start creates a new key and key ID, so that a verifier with a stale set fetches it again.
  const kid = `host-${jwk.x?.slice(0, 8)}`
  return {
    /** JSON Web Key Set (RFC 7517). */
    keySet: JSON.stringify({ keys: [{ ...jwk, kid, alg: 'ES256', use: 'sig' }] }),
    /**
     * Issues a token for a user of the host; undefined when `body` names none.
     *
     * @param issuer the address of the host, which the product API expects as `iss`
     * @param body `{ "user": "mara" }`
     */
    async issue(issuer: string, body: unknown): Promise<string | undefined> {
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
