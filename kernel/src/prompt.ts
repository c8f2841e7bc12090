/** Types of the prompts that a plugin may show; `prompts.ts` keeps the queue. */
/**
 * Maps a type of prompt to its request and its response. Plugins add theirs by declaration merging.
 * `choice` is the kernel's own: pick one of several.
 */
export interface KeybayPrompts {
  choice: {
    readonly ask: {
      readonly title: string
      /** The reason, if the title does not give it. */
      readonly text?: string
      /**
       * Identifies the question for UI that words it in the user's language, e.g. `link`; the other texts stay the default. `name`
       * is the account or wallet in its title.
       */
      readonly question?: { readonly id: string; readonly name?: string | undefined }
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
/** An open prompt. `answer` and `cancel` work once; later calls do nothing. */
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
