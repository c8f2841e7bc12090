/** The operator's networks: those of the environment's settings, which `@keybay/account` reads from the product API. */
import type { Kernel } from '@keybay/kernel'
import { field, KeybayError, recordInvalid, type SolanaNetwork, solanaNetworksProblem } from '@keybay/kernel/spec'
import { RECORDS } from './records.js'

const SETTINGS_TIMEOUT_MS = 5000

type ReadSettings = (options: { readonly signal: AbortSignal }) => Promise<unknown>

function isReadSettings(value: unknown): value is ReadSettings {
  return typeof value === 'function'
}

function areNetworks(value: unknown): value is readonly SolanaNetwork[] {
  return solanaNetworksProblem(value) === undefined
}

/**
 * Returns the known networks, each replaced by the operator's record of it. Invalid records and an API that does not respond
 * are logged, and leave the known ones.
 */
export async function loadNetworks({
  plugins,
  clock,
  logger,
}: Pick<Kernel, 'plugins' | 'clock' | 'logger'>): Promise<readonly SolanaNetwork[]> {
  const readSettings = field(field(plugins, 'account'), 'settings')
  if (!isReadSettings(readSettings)) return RECORDS
  const controller = new AbortController()
  const disarm = clock.after(SETTINGS_TIMEOUT_MS, () => controller.abort())
  try {
    const networks = field(await readSettings({ signal: controller.signal }), 'networks') ?? []
    if (!areNetworks(networks)) throw new KeybayError(recordInvalid, { detail: solanaNetworksProblem(networks) ?? '' })
    return RECORDS.map(known => networks.find(({ networkId }) => networkId === known.networkId) ?? known)
  } catch (error) {
    logger.warn('solana networks', error)
    return RECORDS
  } finally {
    disarm()
  }
}
