/** A browser's side of WebAuthn in a page that has none, around authenticators in software that sign for real. */
import { type Authenticator, newAuthenticator } from '@keybay/sandbox-api/testing/authenticator'

export interface Device {
  /** What the user at the dialogue does. */
  person: 'approves' | 'refuses'
  /** Made so far; the last one that is allowed answers. */
  readonly passkeys: Authenticator[]
  /** What `create` and `get` were asked for. */
  readonly asked: { readonly what: 'create' | 'get'; readonly publicKey: Record<string, unknown> }[]
  remove(): void
}

function bytesOf(text: unknown): ArrayBuffer {
  const bytes = Buffer.from(String(text), 'base64url')
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
}

function textOf(value: unknown): string {
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString('base64url')
  if (ArrayBuffer.isView(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64url')
  return String(value)
}
/** As a page has them. */
function asCredential(json: object) {
  const { id, rawId, type, response } = Object(json)
  const buffers = Object.entries(response).map(([name, value]) => [
    name,
    name === 'transports' ? value : bytesOf(value),
  ])
  return {
    id,
    rawId: bytesOf(rawId),
    type,
    authenticatorAttachment: 'platform',
    getClientExtensionResults: () => ({}),
    response: { ...Object.fromEntries(buffers), getTransports: () => ['internal'] },
  }
}

/** A device without passkeys takes the page's place of `navigator.credentials`. */
export function installDevice(): Device {
  const ask = (what: 'create' | 'get', publicKey: Record<string, unknown>): void => {
    device.asked.push({ what, publicKey })
    if (device.person === 'refuses') throw new DOMException('The operation was not allowed.', 'NotAllowedError')
  }
  const credentials = {
    async create({ publicKey }: { publicKey: Record<string, unknown> }) {
      ask('create', publicKey)
      const made = newAuthenticator(location.hostname)
      device.passkeys.push(made)
      return asCredential(made.create({ challenge: textOf(publicKey.challenge) }, location.origin))
    },
    async get({ publicKey }: { publicKey: Record<string, unknown> }) {
      ask('get', publicKey)
      const allowed = Array.isArray(publicKey.allowCredentials) ? publicKey.allowCredentials : []
      const ids = allowed.map(({ id }) => textOf(id))
      const passkey = device.passkeys.findLast(({ id }) => ids.length === 0 || ids.includes(id))
      if (!passkey) throw new DOMException('There is no passkey.', 'NotAllowedError')
      const { userVerification } = publicKey
      return asCredential(passkey.get({ challenge: textOf(publicKey.challenge), userVerification }, location.origin))
    },
  }
  const device: Device = {
    person: 'approves',
    passkeys: [],
    asked: [],
    remove() {
      Reflect.deleteProperty(navigator, 'credentials')
      Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
    },
  }
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: credentials })
  Object.defineProperty(globalThis, 'PublicKeyCredential', { configurable: true, value: () => {} })
  return device
}
