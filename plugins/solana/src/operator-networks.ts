/** The operator's networks: those of the environment's settings, which `@keybay/account` fetches once for all plugins. */
import type { Kernel } from '@keybay/kernel'
import { connectTimeout, field, KeybayError, type SolanaNetwork, solanaNetworksProblem } from '@keybay/kernel/spec'

/** How long the first call of a network waits for the settings, in ms. */
const SETTINGS_TIMEOUT_MS = 5000

function isReadSettings(value: unknown): value is () => Promise<unknown> {
  return typeof value === 'function'
}

function areNetworks(value: unknown): value is readonly SolanaNetwork[] {
  return solanaNetworksProblem(value) === undefined
}

/**
 * Returns the operator's records. Empty without `@keybay/account` or `baseApiUrl`, and without a valid response in time: the
 * known networks stay usable while the API is away.
 */
export async function readOperatorNetworks({
  config,
  plugins,
  clock,
  logger,
}: Pick<Kernel, 'config' | 'plugins' | 'clock' | 'logger'>): Promise<readonly SolanaNetwork[]> {
  const readSettings = field(field(plugins, 'account'), 'settings')
  if (!config.baseApiUrl || !isReadSettings(readSettings)) return []
  let disarm = () => {}
  const late = new Promise<never>((_, reject) => {
    disarm = clock.after(SETTINGS_TIMEOUT_MS, () => reject(new KeybayError(connectTimeout)))
  })
  try {
    // Without a signal, so that all callers share one request.
    const networks = field(await Promise.race([readSettings(), late]), 'networks')
    return areNetworks(networks) ? networks : []
  } catch (error) {
    logger.warn('solana networks', error)
    return []
  } finally {
    disarm()
  }
}
