/** What a browser may do with the frame's page and its files. The whole defence against injected scripts is in here. */
import type { FrameConfiguration } from '../configuration/frame.js'

export type Headers = Readonly<Record<string, string>>

const NO_FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
].map(feature => `${feature}=()`)

const always: Headers = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
}

/** No inline code, no `eval`, and strings become code only through a named policy. @param policies that a page may make */
function guarded(policies: string): readonly string[] {
  return ["default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'", `trusted-types ${policies}`]
}
/** The wallet frame's one policy knows one worker. */
const scripts = guarded('keybay-frame')

/** A source that ends in a slash stands for everything below it. */
function below(url: string): string {
  return `${url.replace(/\/$/, '')}/`
}

/** Where backups go, as far as the environment has it set up. */
function backupUrls({ backup }: FrameConfiguration): readonly string[] {
  return [backup?.googleDrive?.apiUrl, backup?.icloud?.apiUrl, ...(backup?.icloud?.contentUrls ?? [])].filter(
    url => url !== undefined,
  )
}

/** Of the page. The environment fixes whom it may talk to and who may embed it. */
export function pageHeaders(configuration: FrameConfiguration): Headers {
  const { baseApiUrl, relays, parentOrigins } = configuration
  const reached = new Set([baseApiUrl, ...relays.map(({ url }) => url), ...backupUrls(configuration)].map(below))
  return {
    ...always,
    'content-security-policy': [
      ...scripts,
      "style-src 'self'",
      "worker-src 'self'",
      `connect-src ${[...reached].join(' ')}`,
      `frame-ancestors ${parentOrigins.join(' ')}`,
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; '),
    'permissions-policy': [
      ...NO_FEATURES,
      'publickey-credentials-get=(self)',
      'publickey-credentials-create=(self)',
    ].join(', '),
    // A page that is cross-origin isolated can embed it too.
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'cross-origin',
    'origin-agent-cluster': '?1',
    'cache-control': 'no-cache',
  }
}

/** Of the window that opens exports. It shows a key, so it may talk to nobody at all but the page that embeds it. */
export function exportHeaders(parentOrigins: readonly string[]): Headers {
  return {
    ...always,
    'content-security-policy': [
      ...guarded("'none'"),
      "style-src 'self'",
      `frame-ancestors ${parentOrigins.join(' ')}`,
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; '),
    'permissions-policy': NO_FEATURES.join(', '),
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'cross-origin',
    'origin-agent-cluster': '?1',
    'cache-control': 'no-cache',
  }
}

/**
 * Of the page on which a provider's window ends. It has to see who opened it, for that is where the frames are; it talks
 * to nobody else, and no page shows it.
 */
export const returnHeaders: Headers = {
  ...always,
  'cross-origin-opener-policy': 'unsafe-none',
  'content-security-policy': [
    ...scripts,
    "style-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; '),
  'permissions-policy': NO_FEATURES.join(', '),
  'cache-control': 'no-store',
}

/** Headers of scripts and styles. */
export const assetHeaders: Headers = {
  ...always,
  'content-security-policy': [...scripts, "frame-ancestors 'none'", "base-uri 'none'"].join('; '),
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  // Their names are hashes of what they hold.
  'cache-control': 'public, max-age=31536000, immutable',
}

/**
 * Headers of the worker that derives keys from passwords. A worker has the policy of its own response: this one may compile
 * WebAssembly, which the page may not, and it may not send a request.
 */
export const workerHeaders: Headers = {
  ...assetHeaders,
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
}

/** Of the recovery page: it may talk to nobody, as it says of itself. */
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

/** Of everything that is no page: refusals, health. */
export const plainHeaders: Headers = {
  ...always,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}
