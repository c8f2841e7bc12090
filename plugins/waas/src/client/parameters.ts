/** Where the wallet frame and the relay are, and what the frame's address says (S2.1, S2.3, S3.6, S9.11). */
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
  /** The origin that serves the frame. */
  readonly frameHost: string
  /** The page's own origin. */
  readonly hostOrigin: string
  /** The kit's (S9.12). */
  readonly sdkVersion: string
}
export interface FrameOptions {
  /** Default: the instance's own. */
  readonly environmentId?: string | undefined
  /** The product API, as the frame sees it. Default: the instance's own. */
  readonly baseApiUrl?: string | undefined
  /**
   * Your own hosts, one pair for each stage. The product API's address chooses: a local host → development, which is built
   * in, a `preprod` marker in the host name → `preprod`, any other → `production`. Nothing is built in for those two.
   */
  readonly hosts?: StageHosts<Partial<Hosts>> | undefined
  /** The relay, whatever the stage. Default: from `hosts`. */
  readonly baseMPCRelayApiUrl?: string | undefined
  /** The origin that serves the frame, e.g. `https://wallet.example.com`, whatever the stage. Default: from `hosts`. */
  readonly frameHost?: string | undefined
  /**
   * Opens the page on which the user gives access to their drive, and returns its window. It must keep `opener`: the
   * access goes from there to the wallet's frame. Default: a popup, and a button for it where the browser wants a press.
   */
  readonly openGrant?: OpenGrant | undefined
  /** Keeps backups of the provider `external`, in place of files: storage of the page's own. */
  readonly external?: ExternalBackup | undefined
  /** Of which the wallets are listed. Default Solana alone: each one more is one more question to the frame and the relay. */
  readonly chains?: readonly AccountChain[] | undefined
  /** Log how each operation ended and how long it took, at the level `debug`. Default false. */
  readonly debug?: boolean | undefined
}

/**
 * @throws KeybayError `environment_id_missing` (S5.8); `config_invalid` naming the option that is missing; `record_invalid`
 *   naming the parameter
 */
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
  // A page without an origin of its own (sandboxed, file) could not be told from any other such page.
  if (!isExactOrigin(hostOrigin)) throw invalid('hostOrigin')
  if (!isExactOrigin(frameHost)) throw invalid('frameHost')
  if (!/^https?:/.test(baseMPCRelayApiUrl) || !URL.canParse(baseMPCRelayApiUrl)) throw invalid('baseMPCRelayApiUrl')
  return { environmentId, baseApiUrl, baseMPCRelayApiUrl, frameHost, hostOrigin, sdkVersion: options.sdkVersion }
}

/** The six parameters, and no secret: addresses end up in logs. */
export function frameUrl(parameters: FrameParameters, instanceId: string): string {
  const { environmentId, baseApiUrl, baseMPCRelayApiUrl, frameHost, hostOrigin, sdkVersion } = parameters
  const query = new URLSearchParams({
    instanceId,
    hostOrigin,
    environmentId,
    baseApiUrl,
    baseMPCRelayApiUrl,
    sdkVersion,
  })
  return `${frameHost}/waas-v1/${encodeURIComponent(environmentId)}?${query}`
}
