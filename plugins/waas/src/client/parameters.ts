/** Resolves the hosts of the wallet frame and the relay, and builds the frame's URL (S2.1, S2.3, S3.6, S9.11). */
import {
  configInvalid,
  environmentIdMissing,
  type Hosts,
  hostsOf,
  KeybayError,
  missingHost,
  recordInvalid,
  type StageHosts,
} from '@keybay/kernel/spec'
import { isExactOrigin } from '../protocol/handshake.js'
import type { AccountChain } from './chains.js'
import { waasError } from './errors.js'
import type { ExternalBackup } from './external.js'
import type { OpenGrant } from './grant-window.js'

export interface FrameParameters {
  readonly environmentId: string
  readonly baseApiUrl: string
  readonly baseMPCRelayApiUrl: string
  readonly frameHost: string
  /** The origin of the page. */
  readonly hostOrigin: string
  /** The version of the kit (S9.12). */
  readonly sdkVersion: string
}
export interface FrameOptions {
  /** Default: the environment of the Keybay instance. */
  readonly environmentId?: string | undefined
  /** The product API's URL, as the frame reaches it. Default: the URL of the Keybay instance. */
  readonly baseApiUrl?: string | undefined
  /**
   * Your own hosts per stage. The product API's host chooses the stage: a local host is development, which is built in;
   * a `preprod` marker in the name is `preprod`; any other is `production`. The last two have no built-in hosts.
   */
  readonly hosts?: StageHosts<Partial<Hosts>> | undefined
  /** The relay of every stage. Default: from `hosts`. */
  readonly baseMPCRelayApiUrl?: string | undefined
  /** The origin that serves the frame in every stage, e.g. `https://wallet.example.com`. Default: from `hosts`. */
  readonly frameHost?: string | undefined
  /** Opens the page of a drive's grant. Its window must keep its `opener`. Default: a popup, or a button for a click. */
  readonly openGrant?: OpenGrant | undefined
  /** Stores backups of the provider `external` in the app's own storage instead of files. */
  readonly external?: ExternalBackup | undefined
  /**
   * Returns the W3C `traceparent` of what the page does now, so that the relay's spans belong to its trace. It is called
   * once for each operation, and only the relay receives it. Anything else than a `traceparent` of version 00 is ignored.
   */
  readonly traceparent?: (() => string | undefined) | undefined
  /** The chains whose wallets are listed. Default: Solana. Each further chain costs one more request. */
  readonly chains?: readonly AccountChain[] | undefined
  /** Logs the outcome and duration of each operation at the level `debug`. Default false. */
  readonly debug?: boolean | undefined
}

/** @throws KeybayError `environment_id_missing` (S5.8), `config_invalid`, `record_invalid`, naming the option */
export function resolveParameters(
  options: FrameOptions & Pick<FrameParameters, 'sdkVersion'>,
  config: { readonly environmentId: string; readonly baseApiUrl?: string | undefined },
  hostOrigin: string,
): FrameParameters {
  const { environmentId = config.environmentId, baseApiUrl = config.baseApiUrl ?? '' } = options
  if (!environmentId) throw new KeybayError(environmentIdMissing)
  const invalid = (name: string) => new KeybayError(recordInvalid, { detail: `WalletClientParameters.${name}` })
  if (!URL.canParse(baseApiUrl)) throw invalid('baseApiUrl')
  const hosts = hostsOf(baseApiUrl, options.hosts)
  const { frameHost = hosts.frameHost, baseMPCRelayApiUrl = hosts.baseMPCRelayApiUrl } = options
  if (frameHost === undefined) throw waasError(configInvalid, missingHost('waas', baseApiUrl, 'frameHost'))
  if (baseMPCRelayApiUrl === undefined)
    throw waasError(configInvalid, missingHost('waas', baseApiUrl, 'baseMPCRelayApiUrl'))
  // The frame cannot tell a page without an origin (sandboxed, file) from other such pages.
  if (!isExactOrigin(hostOrigin)) throw invalid('hostOrigin')
  if (!isExactOrigin(frameHost)) throw invalid('frameHost')
  if (!/^https?:/.test(baseMPCRelayApiUrl) || !URL.canParse(baseMPCRelayApiUrl)) throw invalid('baseMPCRelayApiUrl')
  return { environmentId, baseApiUrl, baseMPCRelayApiUrl, frameHost, hostOrigin, sdkVersion: options.sdkVersion }
}

/** Holds the six parameters and no secret: URLs end up in logs. */
export function frameUrl(parameters: FrameParameters, instanceId: string): string {
  const { frameHost, ...facts } = parameters
  const query = new URLSearchParams({ instanceId, ...facts })
  return `${frameHost}/waas-v1/${encodeURIComponent(facts.environmentId)}?${query}`
}
