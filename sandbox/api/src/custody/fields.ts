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

/** New passkey, as attested by the browser. */
export const passkeyFields = {
  challenge: base64url(128),
  attestation: v.strictObject({
    credentialId: base64url(1400),
    clientDataJson: base64url(4096),
    attestationObject: base64url(16_384),
    transports: v.pipe(v.array(v.picklist(TRANSPORTS)), v.maxLength(8)),
  }),
}

/** Key that custody seals to: uncompressed P-256. */
export const targetPublicKey = v.pipe(v.string(), v.regex(/^04[0-9a-f]{128}$/), v.description('65 bytes, hex'))
