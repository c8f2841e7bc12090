/**
 * What leaves by a port. All that is put within one task goes as one post: a post costs more than all the rest of a message,
 * on both sides. A single one goes as it is.
 */
import { type Envelope, MOST_AT_ONCE } from './wire.js'

export interface Outbox {
  put(envelope: Envelope): void
  /** Now, because the port is about to be closed. */
  flush(): void
}

/** Cheaper than `queueMicrotask`, which goes through the browser. */
const soon = Promise.resolve()

/** @param failed with an envelope that cannot be cloned; the others go all the same */
export function createOutbox(port: MessagePort, failed: (envelope: Envelope, error: unknown) => void): Outbox {
  let waiting: Envelope[] = []
  const postEach = (envelopes: readonly Envelope[]) => {
    for (const envelope of envelopes)
      try {
        port.postMessage(envelope)
      } catch (error) {
        failed(envelope, error)
      }
  }
  const flush = () => {
    const envelopes = waiting
    if (!envelopes.length) return
    waiting = []
    if (envelopes.length === 1) return postEach(envelopes)
    try {
      port.postMessage(envelopes)
    } catch {
      postEach(envelopes)
    }
  }
  return {
    put(envelope) {
      if (waiting.push(envelope) === 1) void soon.then(flush)
      else if (waiting.length === MOST_AT_ONCE) flush()
    },
    flush,
  }
}
