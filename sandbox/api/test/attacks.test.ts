/** Tests replayed requests and forged tokens. Other attacks are tested next to the code they target. */
import { createHmac, createPublicKey } from 'node:crypto'
import { request } from 'node:http'
import { calculateJwkThumbprint, SignJWT } from 'jose'
import { afterAll, describe, expect, it } from 'vitest'
import { createKeyCache, createSigner, getThumbprint, type PublicJwk, readJws } from '../src/security/jws.js'
import { APP, getStatuses, type Kit, newKey, refused, signInByCookie, signJws, startWorld } from './client.js'

const world = await startWorld()
afterAll(world.stop)

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decode(part: string | undefined) {
  return JSON.parse(Buffer.from(part ?? '', 'base64url').toString())
}

describe('an intercepted renewal', () => {
  const intercept = (kit: Kit) => {
    const body = { refreshToken: kit.refresh }
    return () => kit.call('/auth/refresh', { body, token: '', proof: { jti: 'the-proof-that-was-heard' } })
  }
  it('a replayed renewal is refused, and does not end the session', async () => {
    const kit = await world.signedIn('heard@example.com')
    const play = intercept(kit)
    const first = await play()
    expect(first.status).toBe(200)
    await refused(play(), 401, 'invalid_proof', { reason: 'replay' })
    const next = { body: { refreshToken: first.body.refreshToken }, token: '' }
    expect((await kit.call('/auth/refresh', next)).status).toBe(200)
  })
  it('an intercepted renewal that is replayed at the same time succeeds once', async () => {
    const play = intercept(await world.signedIn('at-once@example.com'))
    const answers = await Promise.all([play(), play(), play()])
    expect(getStatuses(answers)).toEqual([200, 401, 401])
  })
  it('a renewal with a replayed proof does not spend the refresh token', async () => {
    const kit = await world.signedIn('elsewhere@example.com')
    const proof = { jti: 'one-proof-for-two-requests' }
    expect((await kit.call('/users/me', { method: 'PATCH', body: { metadata: {} }, proof })).status).toBe(200)
    const renew = { body: { refreshToken: kit.refresh }, token: '' }
    expect((await kit.call('/auth/refresh', { ...renew, proof })).body.details.reason).toBe('replay')
    expect((await kit.call('/auth/refresh', renew)).status).toBe(200)
  })
})

describe('a forged token', () => {
  const refused = async (kit: Kit, token: string) =>
    expect(await kit.call('/users/me', { token }), token).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  it('refuses a forged access token, whatever signature its header names', async () => {
    const kit = await world.signedIn('forged@example.com')
    const [head, body, signature] = (kit.token ?? '').split('.')
    const header = decode(head)
    const claims = decode(body)
    const { body: jwks } = await kit.call('/.well-known/jwks.json')
    const pem = createPublicKey({ key: jwks.keys[0], format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    const hmac = (secret: string) => {
      const text = `${encode({ ...header, alg: 'HS256' })}.${body}`
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
    }
    const attackerKey = newKey()
    for (const token of [
      `${encode({ ...header, alg: 'none' })}.${body}.`,
      `${encode({ ...header, alg: 'none' })}.${body}.${signature}`,
      hmac(pem.toString()),
      hmac(JSON.stringify(jwks.keys[0])),
      signJws(header, claims, attackerKey),
      signJws({ ...header, jwk: createPublicKey(attackerKey).export({ format: 'jwk' }) }, claims, attackerKey),
      signJws({ ...header, kid: '../../keys' }, claims, attackerKey),
      `${head}.${encode({ ...claims, sub: 'another-user' })}.${signature}`,
      `${head}.${body}.${'A'.repeat(86)}`,
      `${head}.${body}.${signature}A`,
      `${head}.${body}.${signature}.${signature}`,
      `${head}.${body}`,
    ])
      await refused(kit, token)
    expect((await kit.call('/users/me')).status).toBe(200)
  })
  it('a proof is not accepted as an access token, or an access token as a proof', async () => {
    const kit = await world.signedIn('confused@example.com')
    await refused(kit, kit.proofFor('GET', '/api/v0/sdk/local/users/me', ''))
    const dpop = { dpop: kit.token ?? '' }
    const answer = await kit.call('/auth/nonce', { method: 'POST', proof: false, headers: dpop })
    expect(answer.body.code).toBe('invalid_session_public_key')
  })
})

describe('ES256 by Node', () => {
  const privateKey = newKey()
  const publicKey = createPublicKey(privateKey)
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const jwk: PublicJwk = { kty: 'EC', crv: 'P-256', x, y }
  it('verifies signatures made by jose, and computes the same key thumbprint as jose', async () => {
    const token = await new SignJWT({ a: 1 }).setProtectedHeader({ alg: 'ES256', typ: 't', kid: 'k' }).sign(privateKey)
    const jws = readJws(token)
    expect(jws).toMatchObject({ kid: 'k', payload: { a: 1 } })
    expect(jws?.verifiedBy(publicKey, 't')).toBe(true)
    expect(getThumbprint(jwk)).toBe(await calculateJwkThumbprint(jwk))
  })
  it('refuses a JWS of another type or with an unknown extension, and malformed JWS', () => {
    const verified = (header: object) => readJws(signJws(header, {}, privateKey))?.verifiedBy(publicKey, 't')
    expect(verified({ alg: 'ES256', typ: 't' })).toBe(true)
    expect(readJws(createSigner(privateKey, { typ: 't' })({}))?.verifiedBy(publicKey, 't')).toBe(true)
    for (const header of [
      { alg: 'ES256', typ: 'other' },
      { alg: 'ES256' },
      { alg: 'ES384', typ: 't' },
      { alg: 'ES256', typ: 't', crit: ['exp'] },
      { alg: 'ES256', typ: 't', crit: [] },
    ])
      expect(verified(header), JSON.stringify(header)).toBe(false)
    for (const text of ['', '.', '..', 'a.b.c', 'e30.e30', 'e30.e30.', 'bnVsbA.e30.e30', 'e30.e30.e30\n'])
      expect(readJws(text)?.verifiedBy(publicKey, 't') ?? false, text).toBe(false)
  })
  it('imports a key once, and refuses a key that is not on the curve', () => {
    const importKey = createKeyCache()
    expect(importKey(jwk)).toBe(importKey({ ...jwk }))
    expect(() => importKey({ ...jwk, y: jwk.x })).toThrow()
  })
})

describe('a hand-written request', () => {
  const send = (headers: Record<string, string>, parts: readonly string[]) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const path = '/api/v0/sdk/local/auth/email'
      const sent = request({ host: '127.0.0.1', port: world.api.port, path, method: 'POST', headers }, response => {
        let text = ''
        response.on('data', part => {
          text += part
        })
        response.on('end', () => resolve({ status: response.statusCode, text }))
      })
      // The server may respond and close the connection before the request is complete.
      sent.on('error', reject)
      for (const part of parts) sent.write(part)
      sent.end()
    })
  const json = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
  it('reads a request without a content length only up to the size limit', async () => {
    const email = `{"email":"chunks@example.com"}`
    const dpop = world.kit().proofFor('POST', '/api/v0/sdk/local/auth/email', email)
    expect((await send({ ...json, dpop }, [email.slice(0, 9), email.slice(9)])).status).toBe(202)
    const large = await send(json, ['{"email":"', 'x'.repeat(70_000), '"}'])
    expect(large).toMatchObject({ status: 413, text: expect.stringContaining('payload_too_large') })
  })
  it('refuses a proof for another host, even if the request names that host', async () => {
    const kit = world.kit()
    const body = `{"email":"host@example.com"}`
    const htu = 'http://evil.example/api/v0/sdk/local/auth/email'
    const dpop = kit.proofFor('POST', '/api/v0/sdk/local/auth/email', body, { htu })
    const spoofed = { ...json, dpop, host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    expect(await send(spoofed, [body])).toMatchObject({ status: 401, text: expect.stringContaining('"request"') })
  })
})

it.each(['https://evil.example', 'null', `${APP}.evil.example`, `${APP}/`, APP.toUpperCase()])(
  'cookies cannot renew or end a session for a page of %s',
  async origin => {
    const { kit, cookie } = await signInByCookie(world, 'cookies@example.com', { origin: APP })
    const headers = { cookie, origin }
    expect((await kit.call('/auth/refresh', { body: {}, headers })).body.code).toBe('origin_not_allowed')
    expect((await kit.call('/auth/sign-out', { method: 'POST', headers })).body.code).toBe('origin_not_allowed')
    expect((await kit.call('/auth/refresh', { body: {}, headers: { cookie, origin: APP } })).status).toBe(200)
  },
)
