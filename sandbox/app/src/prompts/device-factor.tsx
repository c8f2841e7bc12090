import type { MfaDevice } from '@keybay/account'
import type { Prompt } from '@keybay/kernel'
import { useAction } from '@keybay/react'
import { type ReactElement, useEffect, useState } from 'react'
import { Notice, noticeKind } from '../design/feedback.js'
import { explain } from '../wording.js'
import { CodeField } from './code-field.js'
import { InboxLink } from './inbox-link.js'
import { factors } from './mfa-wording.js'
import { Resend } from './resend.js'
import { useSubmit } from './use-submit.js'

/** Number of digits in the codes of all second factors. */
const DIGITS = 6

interface DeviceFactorProps {
  readonly prompt: Prompt<'mfa'>
  readonly device: MfaDevice
}

/** Prompts for one device: prepares it, then verifies the user's input. */
export function DeviceFactor({ prompt, device }: DeviceFactorProps): ReactElement {
  const { id: deviceId, method, name } = device
  const challenge = useAction(() => prompt.challenge(deviceId))
  const { busy, error, submit, reset } = useSubmit(prompt.submit, prompt.answer)
  const { run } = challenge
  useEffect(() => run(), [run])
  /** Counter that clears the field for each new code. */
  const [round, setRound] = useState(0)
  const sent = () => {
    reset()
    setRound(round + 1)
  }

  if (challenge.error)
    return (
      <Notice kind="bad" title="This cannot be used right now.">
        <span>{explain(challenge.error)}</span>
        <button type="button" className="button button-small" onClick={run}>
          Try again
        </button>
      </Notice>
    )
  if (method === 'passkey')
    return (
      <div className="stack">
        <button
          type="button"
          className="button button-primary button-wide"
          aria-disabled={busy || challenge.status !== 'success'}
          onClick={() => {
            if (challenge.status === 'success') submit({ deviceId, passkey: true })
          }}
        >
          {busy ? 'Follow your browser …' : 'Use passkey'}
        </button>
        {error && (
          <Notice kind={noticeKind(error)} title="Not confirmed.">
            {explain(error)}
          </Notice>
        )}
      </div>
    )
  return (
    <div className="stack">
      <p>
        {method === 'totp'
          ? `Open ${name === factors.totp.name ? 'your authenticator app' : name} and type the code that it shows.`
          : challenge.status === 'success'
            ? 'We sent a code to your email address.'
            : 'Sending a code to your email address …'}
      </p>
      <CodeField
        key={round}
        label="Code"
        digits={DIGITS}
        busy={busy || challenge.status !== 'success'}
        error={error && explain(error)}
        submit={code => submit({ deviceId, code })}
      />
      {method === 'email' && challenge.status === 'success' && (
        <>
          <InboxLink />
          <Resend expiresAt={challenge.data} resend={() => prompt.challenge(deviceId)} onSent={sent} />
        </>
      )}
    </div>
  )
}
