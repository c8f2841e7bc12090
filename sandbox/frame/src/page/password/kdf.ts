/** argon2id in a worker of its own, so that the frame goes on answering meanwhile. */
import { KeybayError, requestFailed } from '@keybay/kernel'
import type { Argon2id, KdfParameters } from '@keybay/waas/mpc'

/** What goes to the worker. */
export interface KdfQuestion {
  readonly password: Uint8Array
  readonly salt: Uint8Array
  readonly parameters: KdfParameters
}
/** What comes back: how far it is, 0 to 1, and 32 bytes at the end. */
export type KdfReport = { readonly progress: number } | { readonly key: Uint8Array }

/**
 * @param onProgress 0 to 1, for the user who waits
 * @returns a derivation that throws KeybayError `request_failed` when the worker does not run
 */
export function workerKdf(spawn: () => Worker, onProgress: (done: number) => void = () => undefined): Argon2id {
  return (password, salt, parameters) =>
    new Promise((resolve, reject) => {
      const worker = spawn()
      // Ended each time: its memory held the password.
      const end = () => worker.terminate()
      worker.onmessage = ({ data }: MessageEvent<KdfReport>) => {
        if ('progress' in data) return onProgress(data.progress)
        end()
        resolve(data.key)
      }
      worker.onerror = event => {
        event.preventDefault()
        end()
        reject(new KeybayError(requestFailed, { detail: 'the password’s worker does not run' }))
      }
      worker.postMessage({ password, salt, parameters } satisfies KdfQuestion)
    })
}
