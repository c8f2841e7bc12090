/** An extension that announced itself for EVM, as a connector. Loads when the first one does. */
import type { Kernel } from '@keybay/kernel'
import type { KernelErrors } from '../faults.js'
import type { BrowserExtensionConnector } from '../plugin.js'
import { readAnnounced } from './announced.js'
import { evmWallet } from './wallet.js'

/** @param detail of its event; what is no wallet, or throws when it is read, is left out */
export const listEvm = (kernel: Kernel, detail: unknown, errors: KernelErrors): void => {
  try {
    const announced = readAnnounced(detail)
    if (!announced) return
    const { info, provider } = announced
    const { rdns, name, icon } = info
    const id = `browser-extension:${rdns}` as const
    const wallet = evmWallet(kernel, { id, name, icon }, provider, errors)
    kernel.connectors.add({
      kind: 'wallet',
      id,
      name,
      icon,
      readiness: 'ready',
      connectionType: 'browserExtension',
      wallet: wallet as BrowserExtensionConnector['wallet'], // it has the features that are named there
    })
  } catch (error) {
    kernel.logger.debug('browser-extension', error)
  }
}
