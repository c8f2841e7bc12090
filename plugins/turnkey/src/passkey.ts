/** Creates the passkey that guards a wallet, and the stamper that uses it (S9.3: 300000 ms, verification preferred). */
import {
  CUSTODY_PASSKEY_TIMEOUT_MS,
  CUSTODY_PASSKEY_USER_VERIFICATION,
  PASSKEY_ALGORITHM_COSE,
  PASSKEY_CHALLENGE_BYTES,
  PASSKEY_RESIDENT_KEY,
  PASSKEY_USER_ID_BYTES,
  type RecoveryPasskeyAttestation,
  webauthnUnsupported,
} from '@keybay/kernel/spec'
import {
  base64URLStringToBuffer,
  browserSupportsWebAuthn,
  bufferToBase64URLString,
  startRegistration,
} from '@simplewebauthn/browser'
import { WebauthnStamper } from '@turnkey/webauthn-stamper'
import { turnkeyError } from './errors.js'
import type { Stamper } from './service.js'
import type { Tools } from './tools.js'

async function getRelyingParty({ account, options }: Tools) {
  const { rpId, rpName } = (await account.settings()).passkey
  return { id: options.rpId ?? rpId, name: rpName }
}

interface StampOptions {
  /** `required` for actions that a session key can't authorize. */
  readonly userVerification?: 'preferred' | 'required'
  /** Credential IDs, base64url, to which the choice is limited. Default: all of the relying party. */
  readonly passkeys?: readonly string[] | undefined
}
export async function createPasskeyStamper(
  tools: Tools,
  { userVerification = CUSTODY_PASSKEY_USER_VERIFICATION, passkeys = [] }: StampOptions = {},
): Promise<Stamper> {
  return new WebauthnStamper({
    rpId: (await getRelyingParty(tools)).id,
    timeout: CUSTODY_PASSKEY_TIMEOUT_MS,
    userVerification,
    allowCredentials: passkeys.map(id => ({ type: 'public-key', id: base64URLStringToBuffer(id) })),
  })
}

function random(length: number): string {
  return bufferToBase64URLString(crypto.getRandomValues(new Uint8Array(length)).buffer)
}

const TRANSPORTS = {
  ble: 'AUTHENTICATOR_TRANSPORT_BLE',
  internal: 'AUTHENTICATOR_TRANSPORT_INTERNAL',
  nfc: 'AUTHENTICATOR_TRANSPORT_NFC',
  usb: 'AUTHENTICATOR_TRANSPORT_USB',
  hybrid: 'AUTHENTICATOR_TRANSPORT_HYBRID',
} as const
type Transport = keyof typeof TRANSPORTS

function isTransport(name: string): name is Transport {
  return name in TRANSPORTS
}

export interface NewPasskey {
  readonly challenge: string
  readonly attestation: Omit<RecoveryPasskeyAttestation, 'transports'> & {
    readonly transports: (typeof TRANSPORTS)[Transport][]
  }
}
/**
 * Creates a passkey: call it in a click.
 * @param userName name that authenticators show
 * @throws KeybayError `webauthn_unsupported`; the browser's errors
 */
export async function createPasskey(tools: Tools, userName: string): Promise<NewPasskey> {
  if (!browserSupportsWebAuthn()) throw turnkeyError(webauthnUnsupported)
  const challenge = random(PASSKEY_CHALLENGE_BYTES)
  const { response, rawId } = await startRegistration({
    optionsJSON: {
      rp: await getRelyingParty(tools),
      user: { id: random(PASSKEY_USER_ID_BYTES), name: userName, displayName: userName },
      challenge,
      pubKeyCredParams: [{ type: 'public-key', alg: PASSKEY_ALGORITHM_COSE }],
      timeout: CUSTODY_PASSKEY_TIMEOUT_MS,
      attestation: 'none',
      authenticatorSelection: {
        residentKey: PASSKEY_RESIDENT_KEY,
        userVerification: CUSTODY_PASSKEY_USER_VERIFICATION,
      },
    },
  })
  const { attestationObject, clientDataJSON: clientDataJson, transports = [] } = response
  const known = transports.filter(isTransport).map(name => TRANSPORTS[name])
  return { challenge, attestation: { attestationObject, clientDataJson, credentialId: rawId, transports: known } }
}
