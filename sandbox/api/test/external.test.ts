/** Tests refused tokens of the host. The tests of the account plugin sign in with valid ones. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readEnvironments } from '../src/environments.js'
import { getStatuses, refused, settings, startWorld, type World } from './client.js'

const host = await generateKeyPair('ES256')
const stranger = await generateKeyPair('ES256')
const jwk = { ...(await exportJWK(host.publicKey)), kid: 'host-1', alg: 'ES256' }
const server = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] })))

let world: World
let externalJwt: { issuer: string; audience: string; jwksUrl: string }
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  externalJwt = { issuer: 'https://host.example', audience: 'acme', jwksUrl: `http://127.0.0.1:${port}/jwks` }
  const gone = { ...externalJwt, jwksUrl: 'http://127.0.0.1:1/jwks' }
  const environment = { ...settings, signIn: { external: true } }
  world = await startWorld({
    environments: { local: { ...environment, externalJwt }, gone: { ...environment, externalJwt: gone } },
  })
})
afterAll(async () => {
  await world.stop()
  server.close()
})

function now() {
  return Math.floor(world.api.clock.now() / 1000)
}

let serial = 0

function getClaims() {
  const who = { sub: 'host-user-7', iss: 'https://host.example', aud: 'acme', jti: String(serial++) }
  return { ...who, iat: now(), exp: now() + 300 }
}

function token(claims: Record<string, unknown> = {}, key = host.privateKey) {
  return new SignJWT({ ...getClaims(), ...claims }).setProtectedHeader({ alg: 'ES256', kid: 'host-1' }).sign(key)
}

function signIn(text: string, environmentId = 'local') {
  return world.kit().call('/auth/external', { body: { token: text }, environmentId })
}

it('refuses host tokens that are expired, unsigned, without subject, or of another issuer, audience or key', async () => {
  expect((await signIn(await token())).status).toBe(200)
  const plain = getClaims()
  const secret = new TextEncoder().encode(JSON.stringify(jwk))
  for (const text of [
    await token({ exp: now() - 60 }),
    await token({ exp: undefined }),
    await token({ iss: 'https://evil.example' }),
    await token({ aud: 'other' }),
    await token({ sub: undefined }),
    await token({ sub: 'x'.repeat(300) }),
    await token({}, stranger.privateKey),
    new UnsecuredJWT(plain).encode(),
    await new SignJWT(plain).setProtectedHeader({ alg: 'HS256', kid: 'host-1' }).sign(secret),
    'nonsense',
  ])
    await refused(signIn(text), 401, 'invalid_external_token')
})

it('says that the host’s keys are unreachable', async () => {
  await refused(signIn(await token(), 'gone'), 401, 'invalid_external_token', { reason: 'unreachable' })
})

it.each([
  ['without iat', () => ({ iat: undefined })],
  ['issued six minutes ago', () => ({ iat: now() - 360 })],
  ['issued in the future', () => ({ iat: now() + 60, exp: now() + 360 })],
  ['valid for a year', () => ({ exp: now() + 365 * 86_400 })],
])('refuses a host token %s', async (_, claims) => {
  await refused(signIn(await token(claims())), 401, 'invalid_external_token')
})

it('accepts a host token issued four minutes ago that is valid for an hour', async () => {
  const iat = now() - 240
  expect((await signIn(await token({ iat, exp: iat + 3600 }))).status).toBe(200)
})

/** Turns an ECDSA signature (r, s) into (r, -s), which is valid too, without the key. */
function flip(text: string): string {
  const [header, payload, signature = ''] = text.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const s = P256_ORDER - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
  const flipped = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')])
  return `${header}.${payload}.${flipped.toString('base64url')}`
}
/** Changes the last letter, of which only two bits belong to the signature. */
function respell(text: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return text.slice(0, -1) + letters[letters.indexOf(text.slice(-1)) ^ 1]
}
const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

it('refuses a host token that was used before, also with another session key, signature or encoding', async () => {
  const text = await token()
  expect(getStatuses(await Promise.all([signIn(text), signIn(text), signIn(text)]))).toEqual([200, 401, 401])
  for (const replayed of [text, flip(text), respell(text)])
    await refused(signIn(replayed), 401, 'invalid_external_token', { reason: 'replay' })
  for (const fresh of [flip(await token()), respell(await token())]) expect((await signIn(fresh)).status).toBe(200)
})

it('accepts two host tokens of the same user and second', async () => {
  const claims = { jti: undefined, iat: now() }
  for (const text of [await token(claims), await token(claims)]) expect((await signIn(text)).status).toBe(200)
})

it('refuses to link with a host token that has signed in, and to sign in with one that was linked', async () => {
  const text = await token({ sub: 'host-user-8' })
  await signIn(text)
  const kit = await world.signedIn('links-external@example.com')
  const link = (body: object) => kit.call('/users/me/credentials/external', { body })
  await refused(link({ token: text }), 401, 'invalid_external_token', { reason: 'replay' })
  const linked = await token({ sub: 'host-user-9' })
  expect((await link({ token: linked })).status).toBe(201)
  await refused(signIn(linked), 401, 'invalid_external_token', { reason: 'replay' })
})

it('does not forget a used host token before it expires', async () => {
  const text = await token({ exp: now() + 3600 })
  expect((await signIn(text)).status).toBe(200)
  world.api.clock.advance(299_000)
  await world.api.sweep()
  await refused(signIn(text), 401, 'invalid_external_token', { reason: 'replay' })
})

it.each([
  ['no audience', 'audience', { audience: undefined }],
  ['an empty audience', 'audience', { audience: '' }],
  ['keys over plain http', 'jwksUrl', { jwksUrl: 'http://keys.host.example/jwks' }],
])('refuses an external JWT of %s at the start, and names the setting', (_, field, change) => {
  // JSON, because the operator's file has no types.
  const local = JSON.parse(JSON.stringify({ ...settings, externalJwt: { ...externalJwt, ...change } }))
  expect(() => readEnvironments({ local }, new Set())).toThrow(`environment "local": externalJwt.${field}: `)
})
