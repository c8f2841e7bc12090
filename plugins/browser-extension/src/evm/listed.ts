/** An extension that announced itself for EVM, as a connector. Loads when the first one does. */
import type { Kernel } from '@keybay/kernel'
import type { KernelErrors } from '../faults.js'
import type { BrowserExtensionConnector } from '../plugin.js'
import { readAnnounced } from './announced.js'
import { evmWallet } from './wallet.js'

/** @param detail of its event; what is no wallet, or throws when it is read, is left out */
export function listEvm(kernel: Kernel, detail: unknown, errors: KernelErrors): void {
  try {
    const announced = readAnnounced(detail)
    if (!announced) return
    const { info, provider } = announced
    const { rdns, name, icon } = info
    const id = `browser-extension:${rdns}` as const
    const { connectors } = kernel
    if (connectors.get(id)) return // it announces itself to whoever asks
    const wallet = evmWallet(kernel, { id, name, icon }, provider, errors)
    connectors.add({
      kind: 'wallet',
      id,
      name,
      icon,
      readiness: 'ready',
      connectionType: 'browserExtension',
      wallet: wallet as BrowserExtensionConnector['wallet'], // it has the features that are named there
    })
    /** Many wallets are for Solana too, and are listed for it under the same name. */
    const tellApart = () => {
      const isTwin = connectors.list().some(one => one.id !== id && one.name === name)
      const label = isTwin ? `${name} (EVM)` : name
      if (connectors.get(id)?.name !== label) connectors.update(id, { name: label })
    }
    tellApart()
    kernel.onDispose(connectors.subscribe(tellApart))
  } catch (error) {
    kernel.logger.debug('browser-extension', error)
  }
}
