/** Where the wallet frame and the relay are, where a host does not say it: by its product API's address (S2.3, S9.11). */
export interface Hosts {
  /** The origin that serves the frame. */
  readonly frameHost: string
  readonly baseMPCRelayApiUrl: string
}

const HOSTS = {
  development: { frameHost: 'http://wallet.localhost:4200', baseMPCRelayApiUrl: 'http://localhost:4300' },
  preprod: {
    frameHost: 'https://wallet.preprod.keybay.dev',
    baseMPCRelayApiUrl: 'https://relay.preprod.keybay.dev',
  },
  production: { frameHost: 'https://wallet.keybay.dev', baseMPCRelayApiUrl: 'https://relay.keybay.dev' },
} as const
const LOCAL = /(^|\.)localhost$|^127(\.\d+){3}$|^\[::1\]$/

/** By its host: local → development, with a `preprod` marker → preprod, else production. @throws TypeError for no URL */
export const hostsOf = (baseApiUrl: string): Hosts => {
  const { hostname } = new URL(baseApiUrl)
  return HOSTS[LOCAL.test(hostname) ? 'development' : hostname.includes('preprod') ? 'preprod' : 'production']
}
