/** Tests refused tokens of the host. The tests of the account plugin sign in with valid ones. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { refused, settings, startWorld, type World } from './client.js'

const host = await generateKeyPair('ES256')
const stranger = await generateKeyPair('ES256')
const jwk = { ...(await exportJWK(host.publicKey)), kid: 'host-1', alg: 'ES256' }
const server = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] })))

let world: World
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  const externalJwt = { issuer: 'https://host.example', audience: 'acme', jwksUrl: `http://127.0.0.1:${port}/jwks` }
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

function token(claims: Record<string, unknown> = {}, key = host.privateKey) {
  return new SignJWT({ sub: 'host-user-7', iss: 'https://host.example', aud: 'acme', exp: now() + 300, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'host-1' })
    .sign(key)
}

function signIn(text: string, environmentId = 'local') {
  return world.kit().call('/auth/external', { body: { token: text }, environmentId })
}

it('refuses host tokens that are expired, unsigned, without subject, or of another issuer, audience or key', async () => {
  expect((await signIn(await token())).status).toBe(200)
  const plain = { sub: 'x', iss: 'https://host.example', aud: 'acme', exp: now() + 300 }
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
