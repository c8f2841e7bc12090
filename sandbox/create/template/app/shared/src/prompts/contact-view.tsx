// if one-time-code
import type { PromptViewProps } from '@keybay/react/ui'

export function ContactView({ prompt, titleId }: PromptViewProps<'contact'>) {
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault()
        prompt.answer(String(new FormData(event.currentTarget).get('address')))
      }}
    >
      <h2 id={titleId}>Your email address</h2>
      <input name="address" type="email" autoComplete="email" aria-labelledby={titleId} />
      <p role="alert">{prompt.error?.message}</p>
      <button type="submit">Continue</button>
    </form>
  )
}
