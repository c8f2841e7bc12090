/** Hosts of the wallet frame and the relay, chosen by the product API's URL (S2.3, S9.11). */

export interface Hosts {
  /** Origin that serves the wallet frame and the export window. */
  readonly frameHost: string
  readonly baseMPCRelayApiUrl: string
}
export type Stage = 'development' | 'preprod' | 'production'
/** Hosts that the app configures per stage. Only `development` has defaults. */
export interface StageHosts<H = Hosts> {
  readonly preprod?: H | undefined
  readonly production?: H | undefined
}

const DEVELOPMENT: Hosts = { frameHost: 'http://wallet.localhost:4200', baseMPCRelayApiUrl: 'http://localhost:4300' }
const LOCAL = /(^|\.)localhost$|^127(\.\d+){3}$|^\[::1\]$/

/**
 * Reads only the host name: local → development, with a `preprod` marker → preprod, else production. @throws TypeError
 * if it is not a URL
 */
export function stageOf(baseApiUrl: string): Stage {
  const { hostname } = new URL(baseApiUrl)
  return LOCAL.test(hostname) ? 'development' : hostname.includes('preprod') ? 'preprod' : 'production'
}

/**
 * Returns the hosts of the API's stage. A field is undefined if the app gave no value. @throws TypeError if it is not a
 * URL
 */
export function hostsOf(baseApiUrl: string, stageHosts: StageHosts<Partial<Hosts>> = {}): Partial<Hosts> {
  const stage = stageOf(baseApiUrl)
  return stage === 'development' ? DEVELOPMENT : (stageHosts[stage] ?? {})
}

/** Returns the `config_invalid` message that names the missing option. */
export function missingHost(plugin: string, baseApiUrl: string, option: keyof Hosts): string {
  return `${plugin}: ${option} is missing. Set ${plugin}({ hosts: { ${stageOf(baseApiUrl)}: { ${option} } } }) or ${plugin}({ ${option} })`
}
