/** Software authenticator: ES256, "none" attestation (WebAuthn §6, CTAP2 canonical CBOR). */
import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** Origin of the sandbox's app. */
const APP = 'http://app.localhost:4000'

type Cbor = number | string | Buffer | Map<number | string, Cbor>

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff])
}

function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const parts = [...value].flatMap(([key, item]) => [encode(key), encode(item)])
  return Buffer.concat([head(5, value.size), ...parts])
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}
const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_KEY = 0x40

export interface Authenticator {
  readonly id: string
  /** User handle of the account. */
  handle: string
  /** @param topOrigin origin of the page, if `origin` is a frame in it */
  create(options: Record<string, unknown>, origin?: string, topOrigin?: string): object
  get(options: Record<string, unknown>, origin?: string, topOrigin?: string): object
  counter: number
  /** Claims in each signature: true, unless a test changes them. */
  readonly claims: { rpId: string; isPresent: boolean; isVerified: boolean; type: string }
}

export function newAuthenticator(rpId = 'app.localhost'): Authenticator {
  // In PEM, because Node 20 can wait for ever when it exports a key that it generated.
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const { x = '', y = '' } = createPublicKey(publicKey).export({ format: 'jwk' })
  const rawId = randomBytes(32)
  const id = rawId.toString('base64url')
  const data = (flags: number) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(++authenticator.counter)
    return Buffer.concat([sha256(authenticator.claims.rpId), Buffer.from([flags]), counter])
  }
  const clientData = (
    type: string,
    { challenge }: Record<string, unknown>,
    origin: string,
    topOrigin: string | undefined,
  ) => Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: topOrigin !== undefined, topOrigin }))
  const shell = { id, rawId: id, type: 'public-key', clientExtensionResults: {} }
  const authenticator: Authenticator = {
    id,
    handle: randomBytes(32).toString('base64url'),
    counter: 0,
    claims: { rpId, isPresent: true, isVerified: true, type: 'webauthn.get' },
    create(options, origin = APP, topOrigin) {
      const { user } = options
      if (typeof user === 'object' && user && 'id' in user) authenticator.handle = String(user.id)
      const key = new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const authData = Buffer.concat([
        data(USER_PRESENT | HAS_KEY),
        Buffer.alloc(16),
        Buffer.from([0, 32]),
        rawId,
        encode(key),
      ])
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      return {
        ...shell,
        response: {
          clientDataJSON: clientData('webauthn.create', options, origin, topOrigin).toString('base64url'),
          attestationObject: encode(attestation).toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    get(options, origin = APP, topOrigin) {
      const { type, isPresent, isVerified } = authenticator.claims
      // The authenticator verifies its user when the page requests it.
      const isRequested = options.userVerification === 'required' || options.userVerification === 'preferred'
      const client = clientData(type, options, origin, topOrigin)
      const flags = (isPresent ? USER_PRESENT : 0) | (isRequested && isVerified ? USER_VERIFIED : 0)
      const authenticatorData = data(flags)
      return {
        ...shell,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: authenticatorData.toString('base64url'),
          signature: sign('sha256', Buffer.concat([authenticatorData, sha256(client)]), privateKey).toString(
            'base64url',
          ),
          userHandle: authenticator.handle,
        },
      }
    },
  }
  return authenticator
}
