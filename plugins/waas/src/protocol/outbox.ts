/** Posts envelopes to a port. All envelopes of one task go in one post, because posts are expensive. */
import { type Envelope, MAX_ENVELOPES } from './wire.js'

export interface Outbox {
  put(envelope: Envelope): void
  /** Posts at once, because the port is about to close. */
  flush(): void
}

/** Cheaper than `queueMicrotask`, which goes through the browser. */
const resolved = Promise.resolve()

/** @param onFail receives an envelope that cannot be cloned; the others are posted */
export function createOutbox(port: MessagePort, onFail: (envelope: Envelope, error: unknown) => void): Outbox {
  let queue: Envelope[] = []
  const postEach = (envelopes: readonly Envelope[]) => {
    for (const envelope of envelopes)
      try {
        port.postMessage(envelope)
      } catch (error) {
        onFail(envelope, error)
      }
  }
  const flush = () => {
    const envelopes = queue
    if (!envelopes.length) return
    queue = []
    if (envelopes.length === 1) return postEach(envelopes)
    try {
      port.postMessage(envelopes)
    } catch {
      postEach(envelopes)
    }
  }
  return {
    put(envelope) {
      if (queue.push(envelope) === 1) void resolved.then(flush)
      else if (queue.length === MAX_ENVELOPES) flush()
    },
    flush,
  }
}
