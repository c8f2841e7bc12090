/**
 * Questions to the person: a code, a password, a consent. A connector asks, any UI answers; the kernel only keeps the queue.
 */
import { KeybayError, userRejected } from './errors.js'
import { createStore, type Bus } from './events.js'

/**
 * type → what is asked and what is answered. Plugins add theirs by declaration merging.
 * `choice` is the kernel's own: pick one of several.
 */
export interface KeybayPrompts {
  choice: {
    readonly ask: { readonly title: string; readonly options: readonly { readonly id: string; readonly label: string }[] }
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
