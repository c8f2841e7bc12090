/** Lists an extension that announced itself for EVM. Loads with the first announcement. */
import type { Kernel } from '@keybay/kernel'
import { readAnnounced } from './announced.js'
import { createEvmWallet } from './wallet.js'

/** @param detail of the announcement; ignored if it is not a wallet, or throws when it is read */
export function listEvm(kernel: Kernel, detail: unknown): void {
  try {
    const announced = readAnnounced(detail)
    if (!announced) return
    const { rdns, name, icon, provider } = announced
    const id = `browser-extension:${rdns}`
    const { connectors } = kernel
    if (connectors.get(id)) return // announced before
    const wallet = createEvmWallet(kernel, { id, name, icon }, provider)
    connectors.add({ kind: 'wallet', id, name, icon, readiness: 'ready', connectionType: 'browserExtension', wallet })
    /** A wallet that is also listed for Solana, under the same name, is labelled. */
    const updateName = () => {
      const hasTwin = connectors.list().some(connector => connector.id !== id && connector.name === name)
      const label = hasTwin ? `${name} (EVM)` : name
      if (connectors.get(id)?.name !== label) connectors.update(id, { name: label })
    }
    updateName()
    kernel.onDispose(connectors.subscribe(updateName))
  } catch (error) {
    kernel.logger.debug('browser-extension', error)
  }
}
