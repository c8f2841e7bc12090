/** Security headers of the frame's pages and files: the defence against injected scripts. */
import type { ExportConfiguration } from '../configuration/export.js'
import type { FrameConfiguration } from '../configuration/frame.js'

export type Headers = Readonly<Record<string, string>>

const FEATURES =
  'accelerometer camera display-capture geolocation gyroscope hid magnetometer microphone midi payment serial usb'
const NO_FEATURES = FEATURES.split(' ').map(feature => `${feature}=()`)

const always: Headers = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
}

/**
 * Returns a content security policy that forbids inline code and `eval`. Only the named Trusted Types policies turn text
 * into script URLs.
 */
function guarded(policies: string, ...directives: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "require-trusted-types-for 'script'",
    `trusted-types ${policies}`,
    ...directives,
    "base-uri 'none'",
  ].join('; ')
}

/** Headers of a page that other origins may embed. */
function embeddable(policy: string, features: readonly string[]): Headers {
  return {
    ...always,
    'content-security-policy': `${policy}; form-action 'none'`,
    'permissions-policy': features.join(', '),
    // Lets cross-origin isolated pages embed the frame too.
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'cross-origin',
    'origin-agent-cluster': '?1',
    'cache-control': 'no-cache',
  }
}

/** Adds the final slash that makes a source match every path below it. */
function below(url: string): string {
  return `${url.replace(/\/$/, '')}/`
}

function backupUrls({ backup }: FrameConfiguration): readonly string[] {
  return [backup?.googleDrive?.apiUrl, backup?.icloud?.apiUrl, ...(backup?.icloud?.contentUrls ?? [])].filter(
    url => url !== undefined,
  )
}

/** Headers of the frame. The environment fixes its services and the origins that may embed it. */
export function pageHeaders(configuration: FrameConfiguration): Headers {
  const { baseApiUrl, relays, rpcUrl, parentOrigins } = configuration
  const reached = new Set([baseApiUrl, ...relays.map(({ url }) => url), ...backupUrls(configuration)].map(below))
  const policy = guarded(
    'keybay-frame',
    "style-src 'self'",
    "worker-src 'self'",
    // The node is one address, with no path below it.
    `connect-src ${[...reached, ...(rpcUrl === undefined ? [] : [rpcUrl])].join(' ')}`,
    `frame-ancestors ${parentOrigins.join(' ')}`,
  )
  const passkeys = ['publickey-credentials-get=(self)', 'publickey-credentials-create=(self)']
  return embeddable(policy, [...NO_FEATURES, ...passkeys])
}

/**
 * Headers of the custody window. Where it shows a key, it may ask only for the name of the account: its configuration
 * has no node.
 */
export function exportHeaders({ parentOrigins, accountUrl, rpcUrl }: ExportConfiguration): Headers {
  const reached = [accountUrl, rpcUrl].filter(url => url !== undefined)
  const policy = guarded(
    "'none'",
    "style-src 'self'",
    ...(reached.length === 0 ? [] : [`connect-src ${reached.join(' ')}`]),
    `frame-ancestors ${parentOrigins.join(' ')}`,
  )
  return embeddable(policy, NO_FEATURES)
}

/**
 * Headers of the page where a backup provider's window ends. The page needs its opener, which contains the frames. It
 * may send no request, and no page may embed it.
 */
export const returnHeaders: Headers = {
  ...always,
  'cross-origin-opener-policy': 'unsafe-none',
  'content-security-policy': `${guarded('keybay-frame', "style-src 'self'", "frame-ancestors 'none'")}; form-action 'none'`,
  'permissions-policy': NO_FEATURES.join(', '),
  'cache-control': 'no-store',
}

export const assetHeaders: Headers = {
  ...always,
  'content-security-policy': guarded('keybay-frame', "frame-ancestors 'none'"),
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  // File names contain content hashes.
  'cache-control': 'public, max-age=31536000, immutable',
}

/**
 * Headers of the worker that derives keys from passwords. A worker has the policy of its own response: this one may
 * compile WebAssembly, which the page may not, and may send no request.
 */
export const workerHeaders: Headers = {
  ...assetHeaders,
  'content-security-policy': guarded("'none'", "frame-ancestors 'none'").replace("'self'", "'self' 'wasm-unsafe-eval'"),
}

/** Headers of the recovery page, which may send no request. */
export function recoverHeaders(policy: string): Headers {
  return {
    ...always,
    'content-security-policy': `${policy}; frame-ancestors 'none'`,
    'content-type': 'text/html; charset=utf-8',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': NO_FEATURES.join(', '),
    'cache-control': 'no-cache',
  }
}

/** Headers of every response under a public name: browsers then reach that name over TLS only (RFC 6797). */
export const publicHeaders: Headers = { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }

/** Headers of responses other than pages: errors and health checks. */
export const plainHeaders: Headers = {
  ...always,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}
