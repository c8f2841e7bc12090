/** Views of prompts that need no state of their own. */
import { useConnectors } from '@keybay/react'
import { Icon, type PromptViewProps } from '@keybay/react/ui'
import { useState } from 'react'
import { Button, DialogHead, LineForm } from '../design/index.js'
import { explain } from '../wording.js'

/** Prompts the user to choose one of several options of a connector. */
export function ChoicePrompt({ prompt, titleId }: PromptViewProps<'choice'>) {
  return (
    <>
      <DialogHead id={titleId} title={prompt.title} />
      {prompt.text && <p className="soft">{prompt.text}</p>}
      <ul className="keybay-dialog-body">
        {prompt.options.map(({ id, label }) => (
          <li key={id}>
            <Button wide text={label} onClick={() => prompt.answer(id)} />
          </li>
        ))}
      </ul>
    </>
  )
}

const words = {
  email: { title: 'Your email address', label: 'Email address', autoComplete: 'email', inputMode: 'email' },
  phoneNumber: { title: 'Your phone number', label: 'Phone number', autoComplete: 'tel', inputMode: 'tel' },
} as const

/** Prompts for the email address or phone number to send a code to, if the caller gave none. */
export function ContactPrompt({ prompt, titleId }: PromptViewProps<'contact'>) {
  const { title, label, ...input } = words[prompt.method]
  return (
    <>
      <DialogHead id={titleId} title={title} />
      <LineForm
        className="keybay-dialog-body"
        label={label}
        input={{ ...input, autoCapitalize: 'none' }}
        focused
        error={prompt.error && explain(prompt.error)}
        kind="primary"
        wide
        action="Continue"
        submit={text => void prompt.answer(text)}
      />
    </>
  )
}

/** Prompts for a value that a provider needs first, e.g. the domain of a shop. */
export function QuestionPrompt({ prompt, titleId }: PromptViewProps<'social-question'>) {
  const { name, label, example } = prompt
  const submit = (text: string) => {
    // Runs in the click handler, because it opens the window.
    const ticket = prompt.submit(text)
    return ticket ? void prompt.answer(ticket) : `Write it like ${example}.`
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
        action="Continue"
        submit={submit}
      />
    </>
  )
}

/** The verified credential already belongs to another user: offers to merge the two accounts. */
export function MergePrompt({ prompt, titleId }: PromptViewProps<'merge-accounts'>) {
  const [busy, setBusy] = useState(false)
  const merge = () => {
    setBusy(true)
    prompt.answer('merge')
  }
  return (
    <>
      <DialogHead id={titleId} title="You have another account" />
      <div className="keybay-dialog-body">
        <p>What you just confirmed already signs in to another account of yours here. You can merge the two.</p>
        <ul className="bullets">
          <li>Every way to sign in to the other account will sign in to this one.</li>
          <li>The other account is deleted with its name, and its sessions end.</li>
          <li>
            Your wallets in this account stay. If the other account has wallets, we don’t merge it: sign in to that
            account and add this sign-in method there.
          </li>
          <li>You can’t undo this.</li>
        </ul>
        <Button kind="primary" wide text="Merge the two accounts" busy={busy} onClick={merge} />
        <Button wide text="Keep them apart" onClick={prompt.cancel} />
      </div>
    </>
  )
}

/** Shown while the user continues in the provider's window: brings that window back or cancels. */
export function WindowPrompt({ prompt, titleId }: PromptViewProps<'social-window'>) {
  const { name, provider } = prompt
  const connector = useConnectors({ method: 'oauth' }).find(({ id }) => id === `social:${provider}`)
  return (
    <>
      <DialogHead id={titleId} title={name} />
      <div className="keybay-dialog-body attempt">
        {connector && (
          <span className="social-mark">
            <Icon connector={connector} size={48} />
          </span>
        )}
        <p className="row" role="status">
          <span className="keybay-spinner" aria-hidden="true" />
          <span>Go on in the window of {name}. It closes by itself.</span>
        </p>
        <Button kind="primary" wide text="Show the window" onClick={prompt.focus} />
        <Button wide text="Cancel" onClick={prompt.cancel} />
      </div>
    </>
  )
}
