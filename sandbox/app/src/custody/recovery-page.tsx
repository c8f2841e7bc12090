import { useUser } from '@keybay/account/react'
import { useTurnkeyRecovery } from '@keybay/turnkey/react'
import { type FormEvent, type ReactElement, useId, useState } from 'react'
import { userName } from '../account/names.js'
import { Problem } from '../account/problem.js'
import { useChange } from '../account/use-change.js'
import { Notice } from '../design/feedback.js'
import { Field } from '../design/field.js'
import { formatMoment } from '../design/format.js'
import { NeedsSignIn } from '../embedded/needs-sign-in.js'
import { InboxLink } from '../prompts/inbox-link.js'
import { navigate } from '../routing/router.js'
import { Page } from '../shell/page.js'
import { OwnCustodyWallet } from './own-custody-wallet.js'

/** Code form for one email: a new email resets the form. */
function CodeForm({ goodUntil }: { readonly goodUntil: number | undefined }): ReactElement {
  const { user } = useUser()
  const { complete } = useTurnkeyRecovery()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const id = useId()
  const done = useChange(complete, 'You can sign again', () => navigate('/custody'))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!code.trim()) setProblem('Paste the code from the mail.')
    else if (user) done.run({ code, passkeyName: userName(user) })
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <Field id={id} label="Code from the mail" error={problem}>
        {aria => (
          <textarea
            {...aria}
            className="input mono small"
            rows={3}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            readOnly={done.busy}
            value={code}
            onChange={event => {
              setCode(event.target.value)
              setProblem(undefined)
            }}
          />
        )}
      </Field>
      <p className="soft small">
        It opens in this tab alone: a reload needs a new one.
        {goodUntil !== undefined && ` Good until ${formatMoment(goodUntil)}.`}
      </p>
      <div className="row">
        <button type="submit" className="button button-primary" aria-disabled={done.busy}>
          {done.busy ? 'Follow your browser …' : 'Make a new passkey'}
        </button>
      </div>
      <Problem title="Nothing has changed." error={done.error} />
    </form>
  )
}

function RecoverCard(): ReactElement {
  const recovery = useTurnkeyRecovery()
  const { user } = useUser()
  const begin = useChange(recovery.begin, 'We sent a code')
  const { status, codeExpiresAt } = recovery.state ?? {}
  return (
    <section className="card" aria-labelledby="recover">
      <h2 id="recover">Recover by email</h2>
      <p>
        We mail a code to the address of the wallet. With it this browser makes a new passkey; accounts and addresses
        stay, and your old passkeys too, should you find them again.
      </p>
      {status === 'expired' && (
        <Notice kind="warn" title="This took too long.">
          Send a new code to go on.
        </Notice>
      )}
      {status === 'active' && <CodeForm key={codeExpiresAt} goodUntil={codeExpiresAt} />}
      <div className="row">
        <button
          type="button"
          className={status === 'active' ? 'button button-small' : 'button button-primary'}
          aria-disabled={begin.busy}
          onClick={() => begin.run()}
        >
          {begin.busy ? 'Sending …' : status === 'active' ? 'Send a new code' : 'Send the code'}
        </button>
      </div>
      <Problem title="No code was sent." error={begin.error} />
      {status === 'active' && <InboxLink {...(user?.email && { to: user.email })} />}
    </section>
  )
}

export function CustodyRecoveryPage(): ReactElement {
  return (
    <Page title="Recover a custody wallet" width="narrow" lead="For a lost device, or a passkey that is gone.">
      <NeedsSignIn>
        <OwnCustodyWallet>{() => <RecoverCard />}</OwnCustodyWallet>
      </NeedsSignIn>
    </Page>
  )
}
