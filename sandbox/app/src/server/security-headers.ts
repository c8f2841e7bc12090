/** Security headers of the app's pages and of every other response. */

/** Public nodes of the networks that the network menu offers beside the local chain. */
const PUBLIC_NODES: readonly string[] = ['devnet', 'testnet', 'mainnet-beta'].flatMap(cluster => [
  `https://api.${cluster}.solana.com`,
  `wss://api.${cluster}.solana.com`,
])

/** Nodes that the user runs on this machine. An app whose users can enter any node must allow connections to any. */
const OWN_NODES = ['localhost', '127.0.0.1'].flatMap(host => [`http://${host}:*`, `ws://${host}:*`]).join(' ')

/**
 * Headers of files, JSON and errors. The policy of a page covers its scripts and styles, so that repeating it here would
 * only add 13 KB to the first page.
 */
export const FILE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/**
 * Returns the headers of a page, which may load from here, connect to its services and embed the wallet frame.
 * @param services addresses of the local chain, HTTP and websocket, of the product API and of key custody
 * @param frameUrl of the wallet frame: the only page that may be embedded in this one
 * @param appleScriptUrl of Sign in with Apple: the only script that is not the app's own
 */
export function pageHeaders(services: readonly string[], frameUrl: string, appleScriptUrl: string) {
  return {
    ...FILE_HEADERS,
    'content-security-policy': [
      "default-src 'none'",
      `script-src 'self' ${appleScriptUrl}`,
      "style-src 'self'",
      // Wallet icons are data URLs.
      "img-src 'self' data:",
      // A wallet app on an Android phone responds on a local port of the phone; the page picks a new port each time.
      `connect-src 'self' ${OWN_NODES} ${[...services, ...PUBLIC_NODES].map(url => new URL(url).origin).join(' ')}`,
      `frame-src ${new URL(frameUrl).origin}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=()',
    'x-frame-options': 'DENY',
  }
}
