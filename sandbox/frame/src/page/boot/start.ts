/** Starts the frame: compares the page's parameters with the configuration, and serves operations over one port. */
import { type Clock, IFRAME_LOAD_TIMEOUT_MOST_MS, systemClock } from '@keybay/kernel/spec'
import { acceptFromPage, createReceiver, waasProtocol } from '@keybay/waas/protocol'
import { readConfiguration } from '../../configuration/frame.js'
import type { LoadChains, LoadWindow } from '../core/chain-kit.js'
import { createFrame, type LoadDrives } from '../core/frame.js'
import { createHandlers } from '../operations/index.js'
import { showRefusal } from '../screen/dom.js'
import { readParameters } from './parameters.js'

export interface StartOptions {
  readonly configuration: unknown
  readonly self: Window
  readonly place: HTMLElement
  readonly spawnKdf: () => Worker
  /** Loads the code of EVM and Bitcoin with the first such account. If absent, there are none here. */
  readonly loadChains?: LoadChains
  /** Loads the code of Google Drive and iCloud with the first backup there. */
  readonly loadDrives: LoadDrives
  /** Loads the code of the window that asks about Solana signatures and rules. */
  readonly loadWindow: LoadWindow
  readonly clock?: Clock
}
export interface RunningFrame {
  close(): void
}

/**
 * Starts the frame. If the frame cannot serve this page, it shows the reason and throws.
 *
 * @throws KeybayError `frame_refused`, `iframe_load_timeout`
 * @example await startWalletFrame({ configuration, self: window, place: document.body, spawnKdf, loadDrives })
 */
export async function startWalletFrame(options: StartOptions): Promise<RunningFrame> {
  const { self, place, spawnKdf, loadChains, loadDrives, loadWindow, clock = systemClock } = options
  try {
    const configuration = readConfiguration(options.configuration)
    const { hostOrigin, instanceId } = readParameters(self.location.href, configuration)
    const connection = await acceptFromPage({
      self,
      hostOrigin,
      instanceId,
      allowedOrigins: configuration.parentOrigins,
      clock,
      timeout: IFRAME_LOAD_TIMEOUT_MOST_MS,
    })
    const { view } = connection
    const loaders = { loadChains, loadDrives, loadWindow }
    const frame = createFrame({ configuration, hostOrigin, self, place, view, spawnKdf, ...loaders, clock })
    const receiver = createReceiver(waasProtocol, connection.port, createHandlers(frame, connection), { clock })
    return {
      close() {
        receiver.close()
        connection.close()
        frame.close()
      },
    }
  } catch (error) {
    showRefusal(place, error)
    throw error
  }
}
