import type { PromptViewProps } from '@keybay/react/ui'
import { type ReactElement, useState } from 'react'
import { DialogHead } from '../design/dialog-head.js'

/** The verified credential already belongs to another user: offers to merge the two accounts. */
export function MergePrompt({ prompt, titleId }: PromptViewProps<'merge-accounts'>): ReactElement {
  const [busy, setBusy] = useState(false)
  return (
    <>
      <DialogHead id={titleId} title="You have another account" />
      <div className="dialog-body">
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
        <button
          type="button"
          className="button button-primary button-wide"
          aria-disabled={busy}
          onClick={() => {
            setBusy(true)
            prompt.answer('merge')
          }}
        >
          Merge the two accounts
        </button>
        <button type="button" className="button button-wide" onClick={prompt.cancel}>
          Keep them apart
        </button>
      </div>
    </>
  )
}
