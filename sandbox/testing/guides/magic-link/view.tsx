/** The screen of the login. Apps pass it to `<PromptDialog views={{ 'magic-link': MagicLinkView }} />`. */
import type { PromptViewProps } from '@keybay/react/ui'
import type { ReactNode } from 'react'

export function MagicLinkView({ prompt, titleId }: PromptViewProps<'magic-link'>): ReactNode {
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        prompt.answer(String(new FormData(event.currentTarget).get('email')))
      }}
    >
      <h2 id={titleId}>Your email address</h2>
      <input name="email" type="email" autoComplete="email" aria-label="Email address" />
      <p role="alert">{prompt.error?.message}</p>
      <button type="submit">Send me a link</button>
    </form>
  )
}
