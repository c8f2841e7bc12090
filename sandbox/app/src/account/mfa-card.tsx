import type { MfaDevice, MfaEnrolment, User } from '@keybay/account'
import { useMfa } from '@keybay/account/react'
import type { MfaMethod } from '@keybay/kernel/spec'
import { useKeybay } from '@keybay/react'
import { type ReactElement, useCallback, useState } from 'react'
import { useLoaded } from '../chain/use-loaded.js'
import { ConfirmButton } from '../design/confirm-button.js'
import { formatMoment } from '../design/format.js'
import { Glyph } from '../design/icons.js'
import { useLostFocus } from '../design/use-lost-focus.js'
import { factors } from '../prompts/mfa-wording.js'
import { toast } from '../shell/toasts.js'
import { EnrolmentView } from './enrolment-view.js'
import { Problem } from './problem.js'
import { RecoveryCodes } from './recovery-codes.js'
import { useChange } from './use-change.js'

/** Returns what the user must set up before this method, if anything. */
function missing(method: MfaMethod, { email, credentials }: User): string | undefined {
  if (method === 'email' && email === null) return 'add an email address first.'
  if (method === 'passkey' && !credentials.some(credential => credential.method === 'passkey'))
    return 'add a passkey first.'
  return undefined
}

function DeviceRow({ device }: { readonly device: MfaDevice }): ReactElement {
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
          label={`Remove ${device.name}`}
          question="Your account will be less protected."
          busy={remove.busy}
          confirm={() => remove.run(device.id)}
        >
          Remove
        </ConfirmButton>
      </div>
    </li>
  )
}

/** Second factor settings: devices, recovery codes, and adding a method. */
export function MfaCard({ user }: { readonly user: User }): ReactElement {
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
    <section className="card" aria-labelledby="mfa">
      <div className="card-head">
        <h2 id="mfa" ref={heading} tabIndex={-1}>
          Two-step sign-in
        </h2>
        <span className={devices.length ? 'tag tag-good' : 'tag'}>{devices.length ? 'On' : 'Off'}</span>
      </div>
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
              <button
                key={method}
                type="button"
                className="button"
                aria-disabled={add.busy || refused !== undefined}
                aria-describedby={refused && `mfa-${method}`}
                onClick={() => {
                  if (refused === undefined) add.run(method, factors[method].name)
                }}
              >
                <Glyph name="plus" size={18} />
                {factors[method].name}
              </button>
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
            label="New recovery codes"
            question="The old ones will no longer count."
            busy={renew.busy}
            confirm={renew.run}
          >
            New recovery codes
          </ConfirmButton>
        </div>
      )}
      <Problem title="No new recovery codes were made." error={renew.error} />
    </section>
  )
}
