/** Tests sign-in with the host's own token. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Kit, settings, startWorld, type World } from './client.js'

const host = await generateKeyPair('ES256')
const stranger = await generateKeyPair('ES256')
const jwk = { ...(await exportJWK(host.publicKey)), kid: 'host-1', alg: 'ES256' }
const server = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] })))

let world: World
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
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

function signIn(kit: Kit, text: string, environmentId = 'local') {
  return kit.call('/auth/external', { body: { token: text }, environmentId })
}

it('a host token signs in the same user each time', async () => {
  const first = await signIn(world.kit(), await token())
  expect(first.body).toMatchObject({
    status: 'authenticated',
    user: { credentials: [{ method: 'externalUser', externalUserId: 'host-user-7' }] },
  })
  const again = await signIn(world.kit(), await token())
  expect(again.body).toMatchObject({ isNewUser: false, user: { id: first.body.user.id } })
})

it('a host token links a credential to the signed-in user', async () => {
  const kit = world.kit()
  await kit.signInByEmail('link@example.com')
  const linked = await kit.call('/users/me/credentials/external', { body: { token: await token({ sub: 'linked' }) } })
  expect(linked).toMatchObject({ status: 201, body: { credential: { externalUserId: 'linked' } } })
})

it('refuses host tokens that are expired, unsigned, without subject, or of another issuer, audience or key', async () => {
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
    expect(await signIn(world.kit(), text)).toMatchObject({ status: 401, body: { code: 'invalid_external_token' } })
})

it('says that the host’s keys are unreachable', async () => {
  const answer = await signIn(world.kit(), await token(), 'gone')
  expect(answer).toMatchObject({
    status: 401,
    body: { code: 'invalid_external_token', details: { reason: 'unreachable' } },
  })
})
