/** Tests stamps of session keys without services. */
import { createPublicKey, verify } from 'node:crypto'
import { field, fromBase64Url, fromHex } from '@keybay/kernel/spec'
import { generateP256KeyPair } from '@turnkey/crypto'
import { expect, it } from 'vitest'
import { createKeyStamper, importApiKey } from '../src/api-key.js'

/** One of 128 signatures has a number with a leading zero, so 2,000 contain several: the chance of none is 2e-7. */
const STAMPS = 2000

it('stamps verify also when a number of the signature has leading zeros', async () => {
  const { privateKey, publicKey, publicKeyUncompressed } = generateP256KeyPair()
  const key = await importApiKey(privateKey)
  expect(key.publicKey).toBe(publicKey)
  const [x, y] = [publicKeyUncompressed.slice(2, 66), publicKeyUncompressed.slice(66)].map(hex =>
    Buffer.from(hex, 'hex').toString('base64url'),
  )
  const verifier = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const stamper = createKeyStamper(key)
  for (let index = 0; index < STAMPS; index++) {
    const payload = `{"number":${index}}`
    const { stampHeaderName, stampHeaderValue } = await stamper.stamp(payload)
    const stamp: unknown = JSON.parse(new TextDecoder().decode(fromBase64Url(stampHeaderValue)))
    expect([stampHeaderName, field(stamp, 'publicKey')]).toEqual(['X-Stamp', publicKey])
    const signature = fromHex(String(field(stamp, 'signature')))
    expect(verify('sha256', Buffer.from(payload), verifier, signature)).toBe(true)
  }
})
