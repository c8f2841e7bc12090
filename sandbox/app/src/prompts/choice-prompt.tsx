import type { PromptViewProps } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import { DialogHead } from '../design/dialog-head.js'

/** One of several, as a connector asks it. */
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
