import type { MfaDevice, MfaEnrolment, User } from '@keybay/account'
import { useMfa } from '@keybay/account/react'
import type { MfaMethod } from '@keybay/kernel/spec'
import { useKeybay } from '@keybay/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useLoaded } from '../chain/use-loaded.js'
import { Button, ConfirmButton, CopyButton } from '../design/button.js'
import { Card } from '../design/card.js'
import { Notice, Problem } from '../design/feedback.js'
import { formatMoment } from '../design/format.js'
import { Glyph } from '../design/icons.js'
import { QrCode } from '../design/qr-code.js'
import { toast } from '../design/toasts.js'
import { useChange } from '../design/use-change.js'
import { useLostFocus } from '../design/use-lost-focus.js'
import { CodeField, InboxLink } from '../prompts/code-prompt.js'
import { useSubmit } from '../prompts/hooks.js'
import { factors } from '../prompts/mfa-prompt.js'
import { explain } from '../wording.js'

/** Returns what the user must set up before this method, if anything. */
function missing(method: MfaMethod, { email, credentials }: User): string | undefined {
  if (method === 'email' && email === null) return 'add an email address first.'
  if (method === 'passkey' && !credentials.some(credential => credential.method === 'passkey'))
    return 'add a passkey first.'
  return undefined
}

function DeviceRow({ device }: { readonly device: MfaDevice }) {
  const remove = useChange(useMfa().remove, 'Second step removed')
  const { name, icon } = factors[device.method]
  return (
    <li className="item">
      <Glyph name={icon} size={24} />
      <div className="item-text">
        <p className="item-title">
          {device.name} <span className="tag">{name}</span>
        </p>
        {device.createdAt !== undefined && <p className="soft small">Added {formatMoment(device.createdAt)}</p>}
        <Problem title="It was not removed." error={remove.error} />
      </div>
      <div className="item-actions">
        <ConfirmButton
          text="Remove"
          label={`Remove ${device.name}`}
          question="Your account will be less protected."
          busy={remove.busy}
          confirm={() => remove.run(device.id)}
        />
      </div>
    </li>
  )
}

/** Second factor settings: devices, recovery codes, and adding a method. */
export function MfaCard({ user }: { readonly user: User }) {
  const { account } = useKeybay()
  const settings = useLoaded(useCallback((signal: AbortSignal) => account.settings({ signal }), [account]))
  const [enrolment, setEnrolment] = useState<MfaEnrolment>()
  const [codes, setCodes] = useState<readonly string[]>()
  const { devices, recoveryCodesLeft, add: begin, recoveryCodes } = useMfa()
  const add = useChange(begin, undefined, setEnrolment)
  const renew = useChange(recoveryCodes, 'New recovery codes: the old ones no longer count', setCodes)
  const heading = useLostFocus<HTMLHeadingElement>(`${devices.length} ${enrolment?.device.id} ${codes !== undefined}`)
  const offers = (settings.data?.mfa.methods ?? []).map(method => ({ method, refused: missing(method, user) }))
  return (
    <Card
      title="Two-step sign-in"
      heading={heading}
      side={<span className={devices.length ? 'tag tag-good' : 'tag'}>{devices.length ? 'On' : 'Off'}</span>}
    >
      {devices.length > 0 ? (
        <ul className="items" aria-label="Second steps">
          {devices.map(device => (
            <DeviceRow key={device.id} device={device} />
          ))}
        </ul>
      ) : (
        <p className="soft">
          With a second step nobody gets in with your email or your wallet alone. You get recovery codes for the day you
          lose your device.
        </p>
      )}
      {codes ? (
        <RecoveryCodes codes={codes} onSaved={() => setCodes(undefined)} />
      ) : enrolment ? (
        <EnrolmentView
          key={enrolment.device.id}
          enrolment={enrolment}
          onDone={first => {
            setEnrolment(undefined)
            setCodes(first)
            toast('Second step is on')
          }}
          cancel={() => setEnrolment(undefined)}
        />
      ) : (
        <div className="stack-tight">
          <div className="row">
            {offers.map(({ method, refused }) => (
              <Button
                icon="plus"
                text={factors[method].name}
                key={method}
                busy={add.busy || refused !== undefined}
                aria-describedby={refused && `mfa-${method}`}
                onClick={() => {
                  if (refused === undefined) add.run(method, factors[method].name)
                }}
              />
            ))}
          </div>
          {offers.map(
            ({ method, refused }) =>
              refused !== undefined && (
                <p key={method} id={`mfa-${method}`} className="soft small">
                  {factors[method].name}: {refused}
                </p>
              ),
          )}
        </div>
      )}
      <Problem title="It was not set up." error={add.error} />
      {devices.length > 0 && codes === undefined && (
        <div className="row row-apart">
          <p className={recoveryCodesLeft < 3 ? 'small' : 'soft small'}>
            {recoveryCodesLeft === 1 ? '1 recovery code is left.' : `${recoveryCodesLeft} recovery codes are left.`}
          </p>
          <ConfirmButton
            text="New recovery codes"
            label="New recovery codes"
            question="The old ones will no longer count."
            busy={renew.busy}
            confirm={renew.run}
          />
        </div>
      )}
      <Problem title="No new recovery codes were made." error={renew.error} />
    </Card>
  )
}

const DIGITS = 6

function Totp({ totp }: { readonly totp: NonNullable<MfaEnrolment['totp']> }) {
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
export function EnrolmentView({ enrolment, onDone, cancel }: EnrolmentViewProps) {
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
            <Button
              kind="primary"
              text={busy ? 'Follow your browser …' : 'Use passkey'}
              busy={busy}
              onClick={() => submit(undefined)}
            />
          </div>
          <Problem title="Not set up." error={error} />
        </>
      ) : (
        <CodeField label="Code" digits={DIGITS} busy={busy} error={error && explain(error)} submit={submit} />
      )}
      <div className="row">
        <Button text="Cancel" onClick={cancel} />
      </div>
    </section>
  )
}

const FILE = 'recovery-codes.txt'

/** Recovery codes, shown once: the server keeps only values to verify them. */
export function RecoveryCodes({ codes, onSaved }: { readonly codes: readonly string[]; onSaved(): void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const text = `${codes.join('\n')}\n`
  const download = () => {
    const link = document.createElement('a')
    link.href = `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`
    link.download = FILE
    link.click()
  }
  return (
    <section className="stack setup" aria-labelledby="recovery-codes">
      <h3 id="recovery-codes" ref={heading} tabIndex={-1}>
        Your recovery codes
      </h3>
      <Notice kind="warn" title="Keep them now: they are shown this once.">
        Each lets you in once, when you have lost your device. Keep them where nobody else looks, not in this browser.
      </Notice>
      <ul className="codes mono" aria-label="Recovery codes">
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row">
        <CopyButton text={text} label="Copy recovery codes">
          Copy
        </CopyButton>
        <Button text="Download" aria-label="Download recovery codes" onClick={download} />
        <Button kind="primary" text="I have kept them" onClick={onSaved} />
      </div>
    </section>
  )
}
