// if one-time-code
import { useAction } from '@keybay/react'
import type { PromptViewProps } from '@keybay/react/ui'

export function CodeView({ prompt, titleId }: PromptViewProps<'one-time-code'>) {
  const check = useAction(async (_signal, code: string) => prompt.answer(await prompt.submit(code)))
  const resend = useAction(() => prompt.resend())
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        check.run(String(new FormData(event.currentTarget).get('code')))
      }}
    >
      <h2 id={titleId}>We sent a code to {prompt.sentTo}</h2>
      <input name="code" inputMode="numeric" autoComplete="one-time-code" aria-label="Code" />
      <p role="alert">{check.error?.message ?? resend.error?.message}</p>
      <button type="submit" disabled={check.status === 'pending'}>
        Sign in
      </button>
      <button type="button" disabled={resend.status === 'pending'} onClick={() => resend.run()}>
        Send another code
      </button>
    </form>
  )
}
