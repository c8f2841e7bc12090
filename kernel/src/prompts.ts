/**
 * Questions to the user: a code, a password, a consent. A connector asks, any UI answers; the kernel only keeps the queue.
 */

import type { Parts } from './parts.js'
import { KeybayError, userRejected } from './spec/errors.js'

/**
 * type → what is asked and what is answered. Plugins add theirs by declaration merging.
 * `choice` is the kernel's own: pick one of several.
 */
export interface KeybayPrompts {
  choice: {
    readonly ask: {
      readonly title: string
      /** Why, where the title does not say it all. */
      readonly text?: string
      readonly options: readonly { readonly id: string; readonly label: string }[]
    }
    readonly answer: string
  }
}
export type PromptType = keyof KeybayPrompts & string
export type PromptInput<T extends PromptType = PromptType> = {
  [K in T]: { readonly type: K } & KeybayPrompts[K]['ask']
}[T]
export type PromptAnswer<T extends PromptType> = KeybayPrompts[T]['answer']
/** An open question. `answer` and `cancel` work once; later calls do nothing. */
export type Prompt<T extends PromptType = PromptType> = {
  [K in T]: PromptInput<K> & {
    readonly promptId: string
    readonly connectorId: string | undefined
    answer(value: PromptAnswer<K>): void
    cancel(): void
  }
}[T]

export interface PromptQueue {
  list(): readonly Prompt[]
  subscribe(listener: () => void): () => void
  ask<const T extends PromptType>(
    input: PromptInput<T>,
    options?: { readonly connectorId?: string; readonly signal?: AbortSignal },
  ): Promise<PromptAnswer<T>>
}
/** An aborted signal closes its prompt and rejects with the signal's reason. */
export function createPrompts({ bus, makeStore }: Pick<Parts, 'bus' | 'makeStore'>): PromptQueue {
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
          bus.emit('prompt:opened', { prompt })
        })
      } finally {
        store.set(store.get().filter(prompt => prompt.promptId !== promptId))
        bus.emit('prompt:closed', { promptId })
      }
    },
  }
}
