/** Keys of a relay that a test knows, to lie in its name or to start another relay that the peer takes for it. */
import { createHash, createPrivateKey, type KeyObject } from 'node:crypto'
import { sealingKeyPair } from '@keybay/waas/mpc'
import { b64 } from './frame/index.js'
import { newKey } from './world.js'

export interface RelayKeys {
  /** Value of the relay's `keys` option. */
  readonly keys: string
  /** Key that signs the relay's records and forwarded requests. */
  readonly recordKey: KeyObject
  readonly kid: string
}

export function newRelayKeys(): RelayKeys {
  const { kty, crv, x, y, d } = newKey().export({ format: 'jwk' })
  const pair = sealingKeyPair()
  const keys = JSON.stringify({
    record: [{ kty, crv, x, y, d }],
    sealing: { secretKey: b64(pair.secretKey), publicKey: b64(pair.publicKey) },
  })
  const recordKey = createPrivateKey({ key: { kty, crv, x, y, d }, format: 'jwk' })
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
  return { keys, recordKey, kid }
}
