// if social
import type { PromptViewProps } from '@keybay/react/ui'

export function WindowView({ prompt, titleId }: PromptViewProps<'social-window'>) {
  return (
    <>
      <h2 id={titleId}>{prompt.name}</h2>
      <p>Continue in the window of {prompt.name}. It closes by itself.</p>
      <button type="button" onClick={() => prompt.focus()}>
        Show the window
      </button>
    </>
  )
}
