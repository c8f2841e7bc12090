/** `X-Stamp-Webauthn`: an assertion whose challenge is the UTF-8 of hex(sha256(body)); attestations of new passkeys. */
import { createHash } from 'node:crypto'
import type { AuthenticatorTransport } from '@simplewebauthn/server'
import * as v from 'valibot'
import type { authenticators } from '../db/schema.js'
import { attestationInvalid, CustodyError, stampInvalid } from '../http/errors.js'
import type { Services } from '../services.js'

/** Loads the library with the first passkey: it has hundreds of modules. */
function loadWebauthn() {
  return import('@simplewebauthn/server')
}

function bytes(most: number) {
  return v.pipe(v.string(), v.maxLength(most), v.regex(/^[\w-]+$/))
}

const stampSchema = v.strictObject({
  authenticatorData: bytes(4096),
  clientDataJson: bytes(4096),
  credentialId: bytes(1400),
  signature: bytes(1024),
})
export type WebauthnStamp = v.InferOutput<typeof stampSchema>

/** @throws CustodyError `SIGNATURE_INVALID` */
export function readWebauthnStamp(header: string): WebauthnStamp {
  try {
    if (header.length > 16_384) throw new Error('Too long')
    return v.parse(stampSchema, JSON.parse(header))
  } catch {
    throw new CustodyError(stampInvalid, { reason: 'not a stamp' })
  }
}

function getChallenge(body: string): string {
  return Buffer.from(createHash('sha256').update(body).digest('hex')).toString('base64url')
}

type KnownAuthenticator = Pick<typeof authenticators.$inferSelect, 'credentialId' | 'publicKey' | 'counter' | 'rpId'>

/** `isVerified`: the authenticator verified its user, by a fingerprint, a face or a PIN. */
export type Assertion = Readonly<{ counter: number; isVerified: boolean }>

/** @throws CustodyError `SIGNATURE_INVALID` */
export async function checkWebauthnStamp(
  { origins }: Pick<Services, 'origins'>,
  stamp: WebauthnStamp,
  known: KnownAuthenticator,
  body: string,
): Promise<Assertion> {
  try {
    const { verifyAuthenticationResponse } = await loadWebauthn()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: stamp.credentialId,
        rawId: stamp.credentialId,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          authenticatorData: stamp.authenticatorData,
          clientDataJSON: stamp.clientDataJson,
          signature: stamp.signature,
        },
      },
      expectedChallenge: getChallenge(body),
      expectedOrigin: [...origins],
      expectedRPID: known.rpId,
      // The rule depends on the activity: see activities/demand.ts.
      requireUserVerification: false,
      credential: {
        id: known.credentialId,
        publicKey: new Uint8Array(Buffer.from(known.publicKey, 'base64url')),
        // The caller compares the counter together with the activity: a repeated request is no rollback.
        counter: 0,
      },
    })
    if (verified) return { counter: authenticationInfo.newCounter, isVerified: authenticationInfo.userVerified }
  } catch {
    // Drop the library's error, which quotes data from the user's browser.
  }
  throw new CustodyError(stampInvalid)
}

const TRANSPORTS = {
  AUTHENTICATOR_TRANSPORT_BLE: 'ble',
  AUTHENTICATOR_TRANSPORT_INTERNAL: 'internal',
  AUTHENTICATOR_TRANSPORT_NFC: 'nfc',
  AUTHENTICATOR_TRANSPORT_USB: 'usb',
  AUTHENTICATOR_TRANSPORT_HYBRID: 'hybrid',
} as const satisfies Record<string, AuthenticatorTransport>
type Transport = keyof typeof TRANSPORTS
const transportNames: readonly Transport[] = [
  'AUTHENTICATOR_TRANSPORT_BLE',
  'AUTHENTICATOR_TRANSPORT_INTERNAL',
  'AUTHENTICATOR_TRANSPORT_NFC',
  'AUTHENTICATOR_TRANSPORT_USB',
  'AUTHENTICATOR_TRANSPORT_HYBRID',
]

export const authenticatorParams = v.strictObject({
  authenticatorName: v.pipe(v.string(), v.minLength(1), v.maxLength(256)),
  challenge: bytes(1024),
  attestation: v.strictObject({
    credentialId: bytes(1400),
    clientDataJson: bytes(4096),
    attestationObject: bytes(32_768),
    transports: v.pipe(v.array(v.picklist(transportNames)), v.maxLength(8)),
  }),
})
export type AuthenticatorParams = v.InferOutput<typeof authenticatorParams>

/** @throws CustodyError `ATTESTATION_INVALID` */
export async function readAttestation(
  { origins, rpIds }: Pick<Services, 'origins' | 'rpIds'>,
  { authenticatorName: name, challenge, attestation }: AuthenticatorParams,
): Promise<Omit<typeof authenticators.$inferInsert, 'id' | 'organizationId' | 'userId' | 'createdAt'>> {
  const { credentialId, clientDataJson, attestationObject, transports } = attestation
  const { verifyRegistrationResponse } = await loadWebauthn()
  const { registrationInfo } = await verifyRegistrationResponse({
    response: {
      id: credentialId,
      rawId: credentialId,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientDataJson,
        attestationObject,
        transports: transports.map(transport => TRANSPORTS[transport]),
      },
    },
    expectedChallenge: challenge,
    expectedOrigin: [...origins],
    expectedRPID: [...rpIds],
    requireUserVerification: false,
    supportedAlgorithmIDs: [-7, -257],
  }).catch(() => ({ registrationInfo: undefined }))
  if (!registrationInfo?.rpID || registrationInfo.credential.id !== credentialId)
    throw new CustodyError(attestationInvalid)
  const { credential, fmt, aaguid, rpID } = registrationInfo
  return {
    name,
    credentialId,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    rpId: rpID,
    transports,
    attestationType: fmt,
    aaguid,
  }
}
