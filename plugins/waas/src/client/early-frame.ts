/** The hidden frame of the next user: loads while the user signs in, and gets a token only from the signed-in user. */
import type { Kernel } from '@keybay/kernel'
import { aborted, IFRAME_LOAD_TIMEOUT_MS, KeybayError } from '@keybay/kernel/spec'
import { type LoadedFrame, loadFrameOnce } from './load.js'
import type { FrameParameters } from './parameters.js'

export interface EarlyFrame {
  /** Begins to load the frame, unless it has begun. A failure is silent, because the first operation loads the frame then. */
  begin(): void
  /** Hands the frame over once it has loaded. Returns undefined if it did not load or is no longer in the page. */
  take(): Promise<LoadedFrame | undefined>
  /** Removes the frame, unless it was taken. */
  drop(): void
}

export function removeFrame(frame: LoadedFrame | undefined): void {
  frame?.port.close()
  frame?.element.remove()
}

export function createEarlyFrame(
  parameters: FrameParameters,
  { clock, logger, connectors }: Pick<Kernel, 'clock' | 'logger' | 'connectors'>,
): EarlyFrame {
  let loading: { readonly frame: Promise<LoadedFrame | undefined>; readonly control: AbortController } | undefined
  return {
    begin() {
      // A disposed kernel has no connectors.
      if (loading || !connectors.get('waas')) return
      const control = new AbortController()
      const frame = loadFrameOnce({
        parameters,
        view: 'hidden',
        // Frameworks replace the content of the body.
        container: document.documentElement,
        clock,
        timeout: IFRAME_LOAD_TIMEOUT_MS,
        signal: control.signal,
      }).catch(error => {
        logger.debug('waas early frame', error)
        return undefined
      })
      loading = { frame, control }
    },
    async take() {
      const taken = loading
      loading = undefined
      const frame = await taken?.frame
      if (frame?.element.isConnected) return frame
      removeFrame(frame)
      return undefined
    },
    drop() {
      loading?.control.abort(new KeybayError(aborted))
      loading?.frame.then(removeFrame)
      loading = undefined
    },
  }
}
