/** The worker's side of `kdf.ts`. The frame's host bundles it into a file of its own. */
import { argon2id } from '@noble/hashes/argon2.js'
import type { KdfQuestion, KdfReport } from './kdf.js'

/** Of a worker's global scope, what is used. */
interface Scope {
  onmessage: ((event: MessageEvent<KdfQuestion>) => void) | null
  postMessage(report: KdfReport): void
}

const REPORTS = 20

/** Answers one question after the other. @example serveKdf(self) */
export function serveKdf(scope: Scope): void {
  scope.onmessage = ({ data: { password, salt, parameters } }) => {
    let reported = 0
    const key = argon2id(password, salt, {
      m: parameters.memoryKiB,
      t: parameters.iterations,
      p: parameters.parallelism,
      dkLen: 32,
      onProgress: done => {
        if (done < reported + 1 / REPORTS) return
        reported = done
        scope.postMessage({ progress: done })
      },
    })
    scope.postMessage({ key })
  }
}
