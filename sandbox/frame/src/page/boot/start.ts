/** Starts the frame: compares the page's parameters with the configuration, and serves operations over one port. */
import { type Clock, IFRAME_LOAD_TIMEOUT_MOST_MS, systemClock } from '@keybay/kernel/spec'
import { acceptFromPage, createReceiver, waasProtocol } from '@keybay/waas/protocol'
import { readConfiguration } from '../../configuration/frame.js'
import { createFrame, type Loaders } from '../core/frame.js'
import { createHandlers } from '../operations/index.js'
import { prepareFrame } from '../operations/warm-up.js'
import { showRefusal } from '../screen/dom.js'
import { readParameters } from './parameters.js'

export interface StartOptions extends Loaders {
  readonly configuration: unknown
  readonly self: Window
  readonly place: HTMLElement
  readonly spawnKdf: () => Worker
  readonly clock?: Clock
}
export interface RunningFrame {
  close(): void
}

/**
 * Starts the frame. If the frame cannot serve this page, it shows the reason and throws.
 *
 * @throws KeybayError `frame_refused`, `iframe_load_timeout`
 * @example await startWalletFrame({ configuration, self: window, place: document.body, spawnKdf, ...loaders })
 */
export async function startWalletFrame(options: StartOptions): Promise<RunningFrame> {
  const { self, clock = systemClock, ...parts } = options
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
    const frame = createFrame({ ...parts, configuration, hostOrigin, self, view, clock })
    const receiver = createReceiver(waasProtocol, connection.port, createHandlers(frame, connection), { clock })
    prepareFrame(frame)
    return {
      close() {
        receiver.close()
        connection.close()
        frame.close()
      },
    }
  } catch (error) {
    showRefusal(parts.place, error)
    throw error
  }
}
