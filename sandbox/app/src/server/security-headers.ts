/** What the browser may do with the page: load from here, talk to the chain and the product API, hold the wallet frame. */

/** The public nodes of the networks that the network menu offers beside the local chain. */
const PUBLIC_NODES: readonly string[] = ['devnet', 'testnet', 'mainnet-beta'].flatMap(cluster => [
  `https://api.${cluster}.solana.com`,
  `wss://api.${cluster}.solana.com`,
])

/** A node of the user's own, on this machine. An app that lets people name any must let itself be connected to any. */
const OWN_NODES = ['localhost', '127.0.0.1'].flatMap(host => [`http://${host}:*`, `ws://${host}:*`]).join(' ')

/**
 * @param services addresses of the local chain, HTTP and websocket, of the product API and of key custody
 * @param frameUrl of the wallet frame: the only page that may be shown inside of this one
 * @param appleScriptUrl of Sign in with Apple: the only script that is not the app's own
 */
export function securityHeaders(
  services: readonly string[],
  frameUrl: string,
  appleScriptUrl: string,
): Readonly<Record<string, string>> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      `script-src 'self' ${appleScriptUrl}`,
      "style-src 'self'",
      // Icons of wallets are data URLs.
      "img-src 'self' data:",
      // A wallet app on an Android phone also answers on a port of the phone, which the page chooses anew each time.
      `connect-src 'self' ${OWN_NODES} ${[...services, ...PUBLIC_NODES].map(url => new URL(url).origin).join(' ')}`,
      `frame-src ${new URL(frameUrl).origin}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
}
