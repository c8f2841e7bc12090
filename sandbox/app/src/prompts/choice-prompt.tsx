import type { PromptViewProps } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import { DialogHead } from '../design/dialog-head.js'

/** Prompts the user to choose one of several options of a connector. */
export function ChoicePrompt({ prompt, titleId }: PromptViewProps<'choice'>): ReactElement {
  return (
    <>
      <DialogHead id={titleId} title={prompt.title} />
      {prompt.text && <p className="soft">{prompt.text}</p>}
      <ul className="dialog-body">
        {prompt.options.map(({ id, label }) => (
          <li key={id}>
            <button type="button" className="button button-wide" onClick={() => prompt.answer(id)}>
              {label}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
