/** Derives keys from passwords in a worker. The build makes this a separate file with its own security policy. */
import type { KdfParameters } from '@keybay/waas/mpc'
import { argon2id } from 'hash-wasm'
import type { KdfRequest, KdfResponse } from './kdf.js'

/** Cost that test builds use for every key. The production build defines it as `undefined`. */
declare const __ARGON2_TEST_COST__: KdfParameters | undefined

interface Scope {
  onmessage: ((event: MessageEvent<KdfRequest>) => void) | null
  postMessage(response: KdfResponse): void
}

function derive({ password, salt, parameters }: KdfRequest): Promise<Uint8Array> {
  const { memoryKiB, iterations, parallelism } = __ARGON2_TEST_COST__ ?? parameters
  return argon2id({
    password,
    salt,
    memorySize: memoryKiB,
    iterations,
    parallelism,
    hashLength: 32,
    outputType: 'binary',
  })
}

/** Derives a key for each message. @example serveKdf(self) */
export function serveKdf(scope: Scope): void {
  scope.onmessage = ({ data }) => {
    derive(data).then(
      key => scope.postMessage({ key }),
      () => scope.postMessage({ key: undefined }),
    )
  }
}
