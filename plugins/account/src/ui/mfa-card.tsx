import type { MfaDevice, MfaEnrolment, User } from '@keybay/account'
import { useMfa } from '@keybay/account/react'
import { CodeField } from '@keybay/account/ui'
import type { MfaMethod } from '@keybay/kernel/spec'
import { useState } from 'react'
import { useSettings } from '../chain/use-loaded.js'
import {
  Button,
  Card,
  ConfirmButton,
  CopyButton,
  download,
  formatMoment,
  Glyph,
  Item,
  Notice,
  Problem,
  toast,
  useChange,
  useFocus,
  useLostFocus,
} from '../design/index.js'
import { QrCode } from '../design/qr-code.js'
import { InboxLink } from '../inbox-link.js'
import { explain } from '../wording.js'
import { factors, useSubmit } from './factors.js'
import { signInMethods } from './names.js'

/** Returns what the user must set up before this method, if anything. */
function missing(method: MfaMethod, user: User): string | undefined {
  if (method === 'email' && user.email === null) return 'add an email address first.'
  if (method === 'email' && signInMethods(user).length === 1) return 'add another way to sign in first.'
  if (method === 'passkey' && !user.credentials.some(credential => credential.method === 'passkey'))
    return 'add a passkey first.'
  return undefined
}

function DeviceRow({ device }: { readonly device: MfaDevice }) {
  const { busy, error, run } = useChange(useMfa().remove, 'Second step removed')
  const { name, icon } = factors[device.method]
  const remove = (
    <ConfirmButton
      text="Remove"
      label={`Remove ${device.name}`}
      question="Your account will be less protected."
      busy={busy}
      confirm={() => run(device.id)}
    />
  )
  return (
    <Item mark={<Glyph name={icon} size={24} />} actions={remove}>
      <p className="keybay-item-title">
        {device.name} {device.name !== name && <span className="keybay-tag">{name}</span>}
      </p>
      {device.createdAt !== undefined && <p className="soft small">Added {formatMoment(device.createdAt)}</p>}
      <Problem title="It was not removed." error={error} />
    </Item>
  )
}

/** Methods that the environment allows; those that the user cannot set up yet say what is missing. */
function MethodOffers({ user, busy, add }: { user: User; busy: boolean; add(method: MfaMethod, name: string): void }) {
  const settings = useSettings()
  const offers = (settings.data?.mfa.methods ?? []).map(method => {
    const { name } = factors[method]
    return { id: `mfa-${method}`, method, name, refused: missing(method, user) }
  })
  return (
    <div className="stack-tight">
      <div className="row">
        {offers.map(({ id, method, name, refused }) => (
          <Button
            key={id}
            icon="plus"
            text={name}
            busy={busy || refused !== undefined}
            aria-describedby={refused && id}
            onClick={() => refused === undefined && add(method, name)}
          />
        ))}
      </div>
      {offers
        .filter(({ refused }) => refused !== undefined)
        .map(({ id, name, refused }) => (
          <p key={id} id={id} className="soft small">{`${name}: ${refused}`}</p>
        ))}
    </div>
  )
}

/** Second factor settings: devices, recovery codes, and adding a method. */
export function MfaCard({ user }: { readonly user: User }) {
  const [enrolment, setEnrolment] = useState<MfaEnrolment>()
  const [codes, setCodes] = useState<readonly string[]>()
  const { devices, recoveryCodesLeft, add: begin, recoveryCodes } = useMfa()
  const add = useChange(begin, undefined, setEnrolment)
  const renew = useChange(recoveryCodes, 'New recovery codes: the old ones no longer count', setCodes)
  const heading = useLostFocus<HTMLHeadingElement>(`${devices.length} ${enrolment?.device.id} ${codes !== undefined}`)
  const isOn = devices.length > 0
  const finish = (first: readonly string[] | undefined) => {
    setEnrolment(undefined)
    setCodes(first)
    toast('Second step is on')
  }
  const tag = <span className={isOn ? 'keybay-tag keybay-tag-good' : 'keybay-tag'}>{isOn ? 'On' : 'Off'}</span>
  return (
    <Card title="Two-step sign-in" heading={heading} side={tag}>
      {isOn ? (
        <ul className="keybay-items" aria-label="Second steps">
          {devices.map(device => (
            <DeviceRow key={device.id} device={device} />
          ))}
        </ul>
      ) : (
        <p className="soft">
          With a second step, your email or your wallet alone is not enough to sign in. You get recovery codes for the
          day you lose your device.
        </p>
      )}
      {codes ? (
        <RecoveryCodes codes={codes} onSaved={() => setCodes(undefined)} />
      ) : enrolment ? (
        <EnrolmentView
          key={enrolment.device.id}
          enrolment={enrolment}
          onDone={finish}
          cancel={() => setEnrolment(undefined)}
        />
      ) : (
        <MethodOffers user={user} busy={add.busy} add={add.run} />
      )}
      <Problem title="It was not set up." error={add.error} />
      {isOn && codes === undefined && (
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
function EnrolmentView({ enrolment, onDone, cancel }: EnrolmentViewProps) {
  const { method } = enrolment.device
  const { busy, error, submit } = useSubmit(
    (code: string | undefined) => enrolment.confirm(code),
    ({ recoveryCodes }) => onDone(recoveryCodes),
  )
  const heading = useFocus<HTMLHeadingElement>(method === 'passkey')
  const text = busy ? 'Follow your browser …' : 'Use passkey'
  return (
    <section className="stack setup" aria-labelledby="enrolment">
      <h3 id="enrolment" ref={heading} tabIndex={-1}>
        Set up: {factors[method].name.toLowerCase()}
      </h3>
      {enrolment.totp && <Totp totp={enrolment.totp} />}
      {method === 'email' && <p>We sent a code to your email address. Type it here.</p>}
      {method === 'email' && <InboxLink />}
      {method === 'passkey' ? (
        <>
          <p>Use one of your passkeys once, to see that it works as a second step.</p>
          <div className="row">
            <Button kind="primary" text={text} busy={busy} onClick={() => submit(undefined)} />
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

/** Recovery codes, shown once: the server keeps only values to verify them. */
function RecoveryCodes({ codes, onSaved }: { readonly codes: readonly string[]; onSaved(): void }) {
  const heading = useFocus<HTMLHeadingElement>()
  const text = `${codes.join('\n')}\n`
  const save = () => download('recovery-codes.txt', 'text/plain;charset=utf-8', text)
  return (
    <section className="stack setup" aria-labelledby="recovery-codes">
      <h3 id="recovery-codes" ref={heading} tabIndex={-1}>
        Your recovery codes
      </h3>
      <Notice kind="warn" title="Keep them now: they are shown this once.">
        Each signs you in once, when you have lost your device. Keep them in a private place, not in this browser.
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
        <Button text="Download" aria-label="Download recovery codes" onClick={save} />
        <Button kind="primary" text="I have kept them" onClick={onSaved} />
      </div>
    </section>
  )
}
