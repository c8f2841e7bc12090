/** Fields of custody's protocol that several places check. */
import * as v from 'valibot'
import { base64url } from '../http/fields.js'

const TRANSPORTS = [
  'AUTHENTICATOR_TRANSPORT_BLE',
  'AUTHENTICATOR_TRANSPORT_INTERNAL',
  'AUTHENTICATOR_TRANSPORT_NFC',
  'AUTHENTICATOR_TRANSPORT_USB',
  'AUTHENTICATOR_TRANSPORT_HYBRID',
] as const

/** A new passkey, as the browser attests it. */
export const passkeyFields = {
  challenge: base64url(128),
  attestation: v.strictObject({
    credentialId: base64url(1400),
    clientDataJson: base64url(4096),
    attestationObject: base64url(16_384),
    transports: v.pipe(v.array(v.picklist(TRANSPORTS)), v.maxLength(8)),
  }),
}

/** Where custody seals to: an uncompressed P-256 key. */
export const targetPublicKey = v.pipe(v.string(), v.regex(/^04[0-9a-f]{128}$/), v.description('65 bytes, hex'))
