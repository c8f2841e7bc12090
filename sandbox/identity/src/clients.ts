/**
 * Clients of the sandbox at each provider, as an operator gets them when registering an app. They open only this
 * sandbox, so they may be public. The API uses them until it has real ones.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'

export type ProviderId = string

export interface SandboxClient {
  readonly id: string
  readonly secret: string
}

function digest(text: string): string {
  return createHash('sha256').update(`keybay sandbox ${text}`).digest('hex')
}

/** A bot's token begins with the bot's id; a Steam Web API key is 32 hexadecimal digits. */
const special: Readonly<Record<string, SandboxClient>> = {
  telegram: { id: '7000000001', secret: `7000000001:${digest('telegram').slice(0, 35)}` },
  steam: { id: 'keybay-steam', secret: digest('steam').slice(0, 32).toUpperCase() },
  // Team, service and key, as Apple names them; the key is below.
  apple: { id: 'example.keybay.sandbox', secret: '' },
}

/**
 * Returns the client of a provider.
 * @example sandboxClient('github') // { id: 'keybay-github', secret: '…' }
 */
export function sandboxClient(provider: ProviderId): SandboxClient {
  return special[provider] ?? { id: `keybay-${provider}`, secret: digest(provider).slice(0, 40) }
}

/** The API may share a host with the app, and differ only in its path. */
const RETURN_PATHS = [
  ...['app.localhost', 'localhost', '127.0.0.1'].map(host => `http://${host}/auth/social/{provider}`),
  ...['api.app.localhost', 'localhost', '127.0.0.1'].map(
    host => `http://${host}/api/v0/sdk/{environment}/social/{provider}/callback`,
  ),
]

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|[\w-]+(?:\.[\w-]+)*\.localhost)$/

/**
 * Checks that `uri` is exactly a registered one; only the port on this machine may differ, as RFC 8252 §7.3 allows, and
 * as Google and Microsoft do.
 * @param registered with `{provider}` and `{environment}` for a part of the path; default: pages of the app, and of the API
 */
export function isRegistered(provider: ProviderId, uri: string, registered: readonly string[] = RETURN_PATHS): boolean {
  if (!URL.canParse(uri)) return false
  const url = new URL(uri)
  if (url.hash !== '' || url.search !== '' || url.username !== '' || url.password !== '') return false
  return registered.some(registeredUri => {
    const pattern = new URL(registeredUri.replace('{provider}', provider).replace('{environment}', '__environment__'))
    if (pattern.protocol !== url.protocol || pattern.hostname !== url.hostname) return false
    if (!LOOPBACK.test(url.hostname) && pattern.port !== url.port) return false
    const expectedParts = pattern.pathname.split('/')
    const parts = url.pathname.split('/')
    return (
      expectedParts.length === parts.length &&
      expectedParts.every(
        (part, at) => part === parts[at] || (part === '__environment__' && /^[\w-]+$/.test(parts[at] ?? '')),
      )
    )
  })
}

/** Ids of the sandbox's Apple developer account, and of the key that signs its client secret. */
export const APPLE_TEAM = 'KEYBAYTEAM'
export const APPLE_KEY_ID = 'KEYBAYKEY1'

/** Returns a P-256 key in PEM, like the `.p8` file from Apple. The key opens this sandbox only, so it may be public. */
export function applePrivateKey(): string {
  const secret = createHash('sha256').update('keybay sandbox apple').digest()
  const point = p256.getPublicKey(secret, false)
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  const jwk = { kty: 'EC', crv: 'P-256', d: text(secret), x: text(point.slice(1, 33)), y: text(point.slice(33)) }
  return createPrivateKey({ key: jwk, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }).toString()
}

export function applePublicKey(): KeyObject {
  return createPublicKey(applePrivateKey())
}
