/** What the browser may do with the page: load from here, talk to the chain and the product API, hold the wallet frame. */

/** The public nodes of the networks that the network menu offers beside the local chain. */
const PUBLIC_NODES: readonly string[] = ['devnet', 'testnet', 'mainnet-beta'].flatMap(cluster => [
  `https://api.${cluster}.solana.com`,
  `wss://api.${cluster}.solana.com`,
])

/**
 * @param services addresses of the local chain, HTTP and websocket, and of the product API
 * @param frameUrl of the wallet frame: the only page that may be shown inside of this one
 * @param appleScriptUrl of Sign in with Apple: the only script that is not the app's own
 */
export const securityHeaders = (
  services: readonly string[],
  frameUrl: string,
  appleScriptUrl: string,
): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    "default-src 'none'",
    `script-src 'self' ${appleScriptUrl}`,
    "style-src 'self'",
    // Icons of wallets are data URLs.
    "img-src 'self' data:",
    // A wallet app on an Android phone answers on a port of the phone, which the page chooses anew each time.
    `connect-src 'self' ws://localhost:* ${[...services, ...PUBLIC_NODES].map(url => new URL(url).origin).join(' ')}`,
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
})
