/** Views of prompts that need no state of their own. */
import { useConnectors } from '@keybay/react'
import {
  Button,
  DialogHead,
  Icon,
  LineForm,
  type PromptViewProps,
  promptMessages,
  useChoiceText,
  useExplain,
  useMessages,
} from '@keybay/react/ui'
import { type ReactElement, useState } from 'react'

/** Prompts the user to choose one of several options of a connector. */
export function ChoiceView({ prompt, titleId }: PromptViewProps<'choice'>): ReactElement {
  const { title, text, options } = useChoiceText(prompt)
  return (
    <>
      <DialogHead id={titleId} title={title} />
      {text && <p className="keybay-soft">{text}</p>}
      <ul className="keybay-dialog-body">
        {options.map(({ id, label }) => (
          <li key={id}>
            <Button wide text={label} onClick={() => prompt.answer(id)} />
          </li>
        ))}
      </ul>
    </>
  )
}

const words = {
  email: { title: 'emailYours', label: 'emailAddress', autoComplete: 'email', inputMode: 'email' },
  phoneNumber: { title: 'phoneYours', label: 'phoneNumber', autoComplete: 'tel', inputMode: 'tel' },
} as const

/** Prompts for the email address or phone number to send a code to, if the caller gave none. */
export function ContactView({ prompt, titleId }: PromptViewProps<'contact'>): ReactElement {
  const { text } = useMessages(promptMessages)
  const explain = useExplain()
  const { title, label, ...input } = words[prompt.method]
  return (
    <>
      <DialogHead id={titleId} title={text(title)} />
      <LineForm
        className="keybay-dialog-body"
        label={text(label)}
        input={{ ...input, autoCapitalize: 'none' }}
        focused
        error={prompt.error && explain(prompt.error)}
        kind="primary"
        wide
        action={text('continue')}
        submit={typed => void prompt.answer(typed)}
      />
    </>
  )
}

/** Prompts for a value that a provider needs first, e.g. the domain of a shop. */
export function QuestionView({ prompt, titleId }: PromptViewProps<'social-question'>): ReactElement {
  const { text } = useMessages(promptMessages)
  const { name, label, example } = prompt
  const submit = (typed: string) => {
    // Runs in the click handler, because it opens the window.
    const ticket = prompt.submit(typed)
    return ticket ? void prompt.answer(ticket) : text('questionWrong', { example })
  }
  return (
    <>
      <DialogHead id={titleId} title={name} />
      <LineForm
        className="keybay-dialog-body"
        label={label}
        input={{ inputMode: 'url', autoCapitalize: 'none', placeholder: example }}
        focused
        kind="primary"
        wide
        action={text('continue')}
        submit={submit}
      />
    </>
  )
}

/** The verified credential already belongs to another user: offers to merge the two accounts. */
export function MergeView({ prompt, titleId }: PromptViewProps<'merge-accounts'>): ReactElement {
  const { text } = useMessages(promptMessages)
  const [busy, setBusy] = useState(false)
  const merge = () => {
    setBusy(true)
    prompt.answer('merge')
  }
  return (
    <>
      <DialogHead id={titleId} title={text('mergeTitle')} />
      <div className="keybay-dialog-body">
        <p>{text('mergeText')}</p>
        <ul className="keybay-bullets">
          <li>{text('mergeAll')}</li>
          <li>{text('mergeDeleted')}</li>
          <li>{text('mergeWallets')}</li>
          <li>{text('mergeFinal')}</li>
        </ul>
        <Button kind="primary" wide text={text('merge')} busy={busy} onClick={merge} />
        <Button wide text={text('mergeKeep')} onClick={prompt.cancel} />
      </div>
    </>
  )
}

/** Shown while the user continues in the provider's window: brings that window back or cancels. */
export function WindowView({ prompt, titleId }: PromptViewProps<'social-window'>): ReactElement {
  const { text, rich } = useMessages(promptMessages)
  const { name, provider } = prompt
  const connector = useConnectors({ method: 'oauth' }).find(({ id }) => id === `social:${provider}`)
  return (
    <>
      <DialogHead id={titleId} title={name} />
      <div className="keybay-dialog-body keybay-attempt">
        {connector && (
          <span className="keybay-social-mark">
            <Icon connector={connector} size={48} />
          </span>
        )}
        <p className="keybay-line" role="status">
          <span className="keybay-spinner" aria-hidden="true" />
          <span>{rich('window', { name })}</span>
        </p>
        <Button kind="primary" wide text={text('windowShow')} onClick={prompt.focus} />
        <Button wide text={text('cancel')} onClick={prompt.cancel} />
      </div>
    </>
  )
}
