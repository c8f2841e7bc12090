/** Tests the times of ID tokens: accepted up to the tolerance, and refused beyond it. */
import { type JWTPayload, SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { verifyIdToken } from '../src/social/id-token.js'

const SECRET = 'the secret of a client, which LINE signs with'
const NOW = 1_750_000_000

async function verify(times: Pick<JWTPayload, 'iat' | 'exp' | 'nbf'>): Promise<unknown> {
  const claims = { iss: 'https://access.line.me', aud: 'client', sub: 'U4af4980629', ...times }
  const token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(SECRET))
  return verifyIdToken(token, {
    issuer: 'https://access.line.me',
    audience: 'client',
    nonce: undefined,
    jwks: undefined,
    secret: SECRET,
    now: NOW * 1000,
  })
}
const good = { iat: NOW, exp: NOW + 3600 }
const refused = { code: 'verification_error', details: { reason: 'time' } }

it.each([
  ['the provider’s clock is ahead by 59 s', { iat: NOW + 59, exp: NOW + 3659, nbf: NOW + 59 }],
  ['it ran out 59 s ago', { iat: NOW - 3659, exp: NOW - 59 }],
  ['the provider’s clock is behind', { iat: NOW - 600, exp: NOW + 3000, nbf: NOW - 600 }],
])('accepts an ID token whose times are within the tolerance: %s', async (_, times) => {
  await expect(verify(times)).resolves.toMatchObject({ sub: 'U4af4980629' })
})

it.each([
  ['made 61 s from now', { ...good, iat: NOW + 61 }],
  ['not to be used for another 61 s', { ...good, nbf: NOW + 61 }],
  ['ran out 61 s ago', { ...good, exp: NOW - 61 }],
  ['made a day from now', { iat: NOW + 86_400, exp: NOW + 90_000 }],
])('refuses an ID token because of its times: %s', async (_, times) => {
  await expect(verify(times)).rejects.toMatchObject(refused)
})

it.each(['iat', 'exp'] as const)('refuses an ID token without %s', async claim => {
  await expect(verify({ ...good, [claim]: undefined })).rejects.toMatchObject({ code: 'verification_error' })
})
