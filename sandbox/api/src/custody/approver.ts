/**
 * The second key of wallets that ask for a second factor. In such a sub-organisation nothing happens without the person and
 * without this one, and it only ever says yes to what the person has asked for: alone it can do nothing.
 */
import { createECDH, hkdfSync } from 'node:crypto'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { TurnkeyClient } from '@turnkey/http'
import type { CustodyOperator } from './client.js'

/** NIST SP 800-186, 3.2.1.3 */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
/** So many more than 32 that the remainder is even. */
const BYTES = 48

export interface Approver {
  /** 33 bytes, hex. */
  readonly publicKey: string
  readonly client: TurnkeyClient
}

/** Of the operator's own key, so that there is no other one to keep. */
export const createApprover = (baseUrl: string, { privateKey }: CustodyOperator): Approver => {
  const bytes = Buffer.from(hkdfSync('sha256', Buffer.from(privateKey, 'hex'), '', 'keybay custody approver', BYTES))
  const scalar = (BigInt(`0x${bytes.toString('hex')}`) % (ORDER - 1n)) + 1n
  const apiPrivateKey = scalar.toString(16).padStart(64, '0')
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(apiPrivateKey, 'hex')
  const publicKey = curve.getPublicKey('hex', 'compressed')
  const stamper = new ApiKeyStamper({ apiPublicKey: publicKey, apiPrivateKey })
  return { publicKey, client: new TurnkeyClient({ baseUrl }, stamper) }
}
