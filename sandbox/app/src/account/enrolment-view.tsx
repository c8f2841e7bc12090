import type { MfaEnrolment } from '@keybay/account'
import { type ReactElement, useEffect, useRef } from 'react'
import { CopyButton } from '../design/copy-button.js'
import { CodeField } from '../prompts/code-field.js'
import { InboxLink } from '../prompts/inbox-link.js'
import { factors } from '../prompts/mfa-wording.js'
import { useSubmit } from '../prompts/use-submit.js'
import { QrCode } from '../receive/qr-code.js'
import { explain } from '../wording.js'
import { Problem } from './problem.js'

const DIGITS = 6

function Totp({ totp }: { readonly totp: NonNullable<MfaEnrolment['totp']> }): ReactElement {
  return (
    <>
      <p>Scan this with your authenticator app, then type the code that it shows.</p>
      <div className="totp">
        <QrCode text={totp.uri} label="QR code for your authenticator app" />
        <div className="stack-tight">
          <p className="soft small">No camera? Type this key into the app:</p>
          <p className="row">
            <code className="mono break">{totp.secret}</code>
            <CopyButton text={totp.secret} label="Copy key" />
          </p>
        </div>
      </div>
    </>
  )
}

interface EnrolmentViewProps {
  readonly enrolment: MfaEnrolment
  /** It counts. @param codes with the first factor */
  onDone(codes: readonly string[] | undefined): void
  cancel(): void
}
/** Final step of adding a second factor: the user proves that it works. */
export function EnrolmentView({ enrolment, onDone, cancel }: EnrolmentViewProps): ReactElement {
  const { device, totp } = enrolment
  const { busy, error, submit } = useSubmit(
    (code: string | undefined) => enrolment.confirm(code),
    ({ recoveryCodes }) => onDone(recoveryCodes),
  )
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (device.method === 'passkey') heading.current?.focus()
  }, [device])
  return (
    <section className="stack setup" aria-labelledby="enrolment">
      <h3 id="enrolment" ref={heading} tabIndex={-1}>
        Set up: {factors[device.method].name.toLowerCase()}
      </h3>
      {totp && <Totp totp={totp} />}
      {device.method === 'email' && (
        <>
          <p>We sent a code to your email address. Type it here.</p>
          <InboxLink />
        </>
      )}
      {device.method === 'passkey' ? (
        <>
          <p>Use one of your passkeys once, to see that it works as a second step.</p>
          <div className="row">
            <button
              type="button"
              className="button button-primary"
              aria-disabled={busy}
              onClick={() => submit(undefined)}
            >
              {busy ? 'Follow your browser …' : 'Use passkey'}
            </button>
          </div>
          <Problem title="Not set up." error={error} />
        </>
      ) : (
        <CodeField label="Code" digits={DIGITS} busy={busy} error={error && explain(error)} submit={submit} />
      )}
      <div className="row">
        <button type="button" className="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </section>
  )
}
