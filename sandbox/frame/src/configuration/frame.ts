/** Configuration of one environment. The frame trusts the configuration, not the URL of the page. */
import * as v from 'valibot'
import { themeSchema } from './theme.js'

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function isBare(text: string): boolean {
  if (!isHttp(text)) return false
  const { search, hash, username, href } = new URL(text)
  // Reject characters that end a source or a directive, because the URL goes into a CSP header.
  return !search && !hash && !username && !/[\s;,'"]/.test(text) && (href === text || href === `${text}/`)
}
export const url = v.pipe(v.string(), v.maxLength(300), v.check(isBare, 'is not an address'))
const origin = v.pipe(
  v.string(),
  v.check(text => isHttp(text) && new URL(text).origin === text, 'is not an origin'),
)
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(300))
/** Origin → name of the app there, which the window shows. */
export const appNames = v.record(origin, v.pipe(v.string(), v.minLength(1), v.maxLength(60)))
const coordinate = v.pipe(v.string(), v.regex(/^[\w-]{43}$/, 'is not a coordinate of P-256'))
const relay = v.strictObject({
  party: v.picklist(['R1', 'R2']),
  url,
  // Reject unknown fields, so that a private key (`d`) never gets into a page.
  recordKeys: v.pipe(
    v.array(v.strictObject({ kty: v.literal('EC'), crv: v.literal('P-256'), x: coordinate, y: coordinate })),
    v.minLength(1),
    v.maxLength(8),
  ),
  sealingKey: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{43}$/, 'is not a key of X25519'))),
})
const schema = v.strictObject({
  environmentId: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'is not an environment id')),
  /** The product API, e.g. `http://api.app.localhost:4100/api/v0`. */
  baseApiUrl: url,
  /** Other URLs of the same API that a page may use. The frame only compares them and sends no request to them. */
  apiAliases: v.optional(v.pipe(v.array(url), v.maxLength(10))),
  /** Relays, R1 first. The frame connects only to R1; R1 connects to the others. */
  relays: v.pipe(
    v.array(relay),
    // R1 tells the frame the key of R2, so a frame that knew no better would let R1 play both.
    v.check(
      relays => relays.every(({ party, sealingKey }) => party === 'R1' || sealingKey !== undefined),
      'has no sealingKey of R2',
    ),
    v.check(relays => relays.map(({ party }) => party).join() === ['R1', 'R2'].slice(0, relays.length).join()),
    v.minLength(1),
  ),
  /**
   * Solana JSON-RPC that simulates transactions before the user signs them. Public, so it names no secret. Its answers
   * are not trusted.
   */
  rpcUrl: v.optional(url),
  /** Origins of the pages that may embed the frame. Never `null`. */
  parentOrigins: v.pipe(v.array(origin), v.minLength(1), v.maxLength(100)),
  appNames: v.optional(appNames),
  theme: v.optional(themeSchema),
  /** Drives that the frame offers for backups, in addition to a file and the product API. */
  backup: v.optional(
    v.strictObject({
      /** The client ID is registered for this frame's return page: `{frame}/waas-v1/{environmentId}/granted`. */
      googleDrive: v.optional(v.strictObject({ apiUrl: url, authorizeUrl: url, clientId: name })),
      icloud: v.optional(
        v.strictObject({
          apiUrl: url,
          container: v.pipe(v.string(), v.regex(/^iCloud\.[\w.-]{1,200}$/, 'is not a container')),
          environment: v.picklist(['development', 'production']),
          /** Token of the container, for this frame's origin, with the return page as callback. Not a secret. */
          apiToken: name,
          /** Hosts that serve the files, e.g. `https://cvws.icloud-content.com`. */
          contentUrls: v.pipe(v.array(url), v.maxLength(10)),
        }),
      ),
    }),
  ),
})
export type FrameConfiguration = v.InferOutput<typeof schema>

/**
 * Validates a configuration.
 *
 * @throws TypeError that names the invalid field
 * @example readConfiguration(JSON.parse(document.querySelector('meta[name="keybay:frame"]').content))
 */
export function readConfiguration(value: unknown): FrameConfiguration {
  const { success, output, issues } = v.safeParse(schema, value)
  if (success) return output
  const [{ path, message }] = issues
  const field = path?.map(({ key }) => String(key)).join('.') ?? ''
  throw new TypeError(`The frame's configuration is wrong: ${field} ${message}`)
}
