/** Runs argon2id in a worker, so that the frame keeps responding. */
import { KeybayError, requestFailed } from '@keybay/kernel/spec'
import type { Argon2id, KdfParameters } from '@keybay/waas/mpc'

export interface KdfRequest {
  readonly password: Uint8Array
  readonly salt: Uint8Array
  readonly parameters: KdfParameters
}
export interface KdfResponse {
  readonly key: Uint8Array | undefined
}

/**
 * Returns a derivation that throws KeybayError `request_failed` if the worker does not run.
 * @param onStart called for each derivation
 */
export function workerKdf(spawn: () => Worker, onStart: () => void = () => undefined): Argon2id {
  return (password, salt, parameters) =>
    new Promise((resolve, reject) => {
      onStart()
      const worker = spawn()
      // Terminate the worker after one key, because its memory held the password.
      const finish = (key: Uint8Array | undefined) => {
        worker.terminate()
        if (key) resolve(key)
        else reject(new KeybayError(requestFailed, { detail: 'the password worker does not run' }))
      }
      worker.onmessage = ({ data }: MessageEvent<KdfResponse>) => finish(data.key)
      worker.onerror = event => {
        event.preventDefault()
        finish(undefined)
      }
      worker.postMessage({ password, salt, parameters } satisfies KdfRequest)
    })
}
