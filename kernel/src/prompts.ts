/** The queue of open prompts: a code, a password, a consent. A connector asks, and any UI answers. */
import type { Base } from './kernel.js'
import type { Prompt, PromptQueue } from './prompt.js'
import { KeybayError, userRejected } from './spec/errors.js'

/** An aborted signal closes its prompt and rejects with the signal's reason. */
export function createPrompts({ events, makeStore }: Base): PromptQueue {
  const store = makeStore<readonly Prompt[]>([])
  let count = 0
  return {
    list: store.get,
    subscribe: store.subscribe,
    async ask(input, { connectorId, signal } = {}) {
      signal?.throwIfAborted()
      const promptId = String(++count)
      try {
        return await new Promise((resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
          const prompt: Prompt = {
            ...input,
            promptId,
            connectorId,
            answer: resolve,
            cancel: () => reject(new KeybayError(userRejected, { connectorId })),
          }
          store.set([...store.get(), prompt])
          events.emit('prompt:opened', { prompt })
        })
      } finally {
        store.set(store.get().filter(prompt => prompt.promptId !== promptId))
        events.emit('prompt:closed', { promptId })
      }
    },
  }
}
