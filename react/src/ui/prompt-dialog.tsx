import type { Prompt, PromptType } from '@keybay/kernel'
import { type ComponentType, type ReactElement, useId } from 'react'
import { usePrompts } from '../stores.js'
import { useChoiceText } from './choice.js'
import { Modal } from './modal.js'
import { join, usePartClass } from './provider.js'
import { UnknownPromptDialog, useShowsPrompts } from './unknown-prompt.js'

export interface PromptViewProps<T extends PromptType = PromptType> {
  readonly prompt: Prompt<T>
  /** The id of the heading, which names the dialog. */
  readonly titleId: string
}
/** The view of each type of prompt. Plugins add types; `choice` has a view, which may be replaced. */
export type PromptViews = { readonly [T in PromptType]?: ComponentType<PromptViewProps<T>> }

function isShown(views: PromptViews, type: string): type is PromptType {
  return Object.hasOwn(views, type)
}

function getTypes(views: PromptViews): readonly PromptType[] {
  return Object.keys(views).filter(type => isShown(views, type))
}

function Choice({ prompt, titleId }: PromptViewProps<'choice'>): ReactElement {
  const { title, text, options } = useChoiceText(prompt)
  const rowClass = join('keybay-row', usePartClass('row'))
  return (
    <>
      <h2 id={titleId}>{title}</h2>
      {text && <p>{text}</p>}
      <ul>
        {options.map(({ id, label }) => (
          <li key={id}>
            <button type="button" className={rowClass} onClick={() => prompt.answer(id)}>
              {label}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

/**
 * Shows the prompts of connectors in turn; closing the dialog declines. Render it once, anywhere below the provider. It
 * leaves prompts without a view to other UI of the kit and to UI that calls `useShowsPrompts`; for the rest it logs a warning
 * and says that the app cannot show them. Needs `@keybay/react/ui.css`.
 *
 * @example <PromptDialog views={{ code: CodeView }} />
 */
export function PromptDialog({ views }: { readonly views?: PromptViews }): ReactElement {
  const known: PromptViews = { choice: Choice, ...views }
  useShowsPrompts(getTypes(known))
  const prompt = usePrompts().find(({ type }) => known[type])
  const View = prompt && known[prompt.type]
  const id = useId()
  return (
    <>
      <Modal open={prompt !== undefined} onClose={() => prompt?.cancel()} labelledBy={id}>
        {View && <View key={prompt.promptId} prompt={prompt} titleId={id} />}
      </Modal>
      <UnknownPromptDialog />
    </>
  )
}
