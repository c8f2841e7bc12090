import type { MfaMethod } from '@keybay/kernel/spec'
import {
  Button,
  Card,
  ConfirmButton,
  CopyButton,
  Glyph,
  Item,
  Notice,
  Problem,
  protectionMessages,
  toast,
  useChange,
  useDates,
  useExplain,
  useFocus,
  useLostFocus,
  useMessages,
} from '@keybay/react/ui'
import { type ReactElement, useState } from 'react'
import type { MfaEnrolment } from '../api.js'
import { useMfa } from '../react/mfa.js'
import type { MfaDevice, User } from '../user.js'
import { CodeField } from './code-field.js'
import { download } from './download.js'
import { FACTOR_GLYPHS, FACTOR_TEXTS, getDefaultName, isDefaultName } from './factors.js'
import { useSubmit } from './hooks.js'
import { signInMethods } from './names.js'
import { useSettings } from './settings.js'
import { useSlots } from './slots.js'

/** Returns what the user must set up before this method, if anything. */
function getMissing(method: MfaMethod, user: User): 'need_email' | 'need_way' | 'need_passkey' | undefined {
  if (method === 'email' && user.email === null) return 'need_email'
  if (method === 'email' && signInMethods(user).length === 1) return 'need_way'
  if (method === 'passkey' && !user.credentials.some(credential => credential.method === 'passkey'))
    return 'need_passkey'
  return undefined
}

function DeviceRow({ device }: { readonly device: MfaDevice }) {
  const { text, rich } = useMessages(protectionMessages)
  const { moment } = useDates()
  const { busy, error, run } = useChange(useMfa().remove, text('removed'))
  const factor = text(FACTOR_TEXTS[device.method])
  const isNamed = !isDefaultName(device.name, device.method)
  const name = isNamed ? device.name : factor
  const remove = (
    <ConfirmButton
      text={text('remove')}
      label={text('removeOf', { name })}
      question={text('removeAsk')}
      busy={busy}
      confirm={() => run(device.id)}
    />
  )
  return (
    <Item mark={<Glyph name={FACTOR_GLYPHS[device.method]} size={24} />} actions={remove}>
      <p className="keybay-item-title">
        <bdi>{name}</bdi> {isNamed && <span className="keybay-tag">{factor}</span>}
      </p>
      {device.createdAt !== undefined && (
        <p className="keybay-soft keybay-small">{rich('added', { date: moment(device.createdAt) })}</p>
      )}
      <Problem title={text('notRemoved')} error={error} />
    </Item>
  )
}

/** Methods that the environment allows; those that the user cannot set up yet say what is missing. */
function MethodOffers({ user, busy, add }: { user: User; busy: boolean; add(method: MfaMethod, name: string): void }) {
  const { text } = useMessages(protectionMessages)
  const { settings } = useSettings()
  const offers = (settings?.mfa.methods ?? []).map(method => {
    const name = text(FACTOR_TEXTS[method])
    const missing = getMissing(method, user)
    return { id: `mfa-${method}`, method, name, refused: missing && text(missing, { factor: name }) }
  })
  return (
    <div className="keybay-stack keybay-tight">
      <div className="keybay-line">
        {offers.map(({ id, method, name, refused }) => (
          <Button
            key={id}
            icon="plus"
            text={name}
            busy={busy || refused !== undefined}
            aria-describedby={refused && id}
            onClick={() => refused === undefined && add(method, getDefaultName(method))}
          />
        ))}
      </div>
      {offers
        .filter(({ refused }) => refused !== undefined)
        .map(({ id, refused }) => (
          <p key={id} id={id} className="keybay-soft keybay-small">
            {refused}
          </p>
        ))}
    </div>
  )
}

/** Second factor settings: devices, recovery codes, and adding a method. */
export function MfaCard({ user }: { readonly user: User }): ReactElement {
  const { text, rich } = useMessages(protectionMessages)
  const [enrolment, setEnrolment] = useState<MfaEnrolment>()
  const [codes, setCodes] = useState<readonly string[]>()
  const { devices, recoveryCodesLeft, add: begin, recoveryCodes } = useMfa()
  const add = useChange(begin, undefined, setEnrolment)
  const renew = useChange(recoveryCodes, text('codesNewDone'), setCodes)
  const heading = useLostFocus<HTMLHeadingElement>(`${devices.length} ${enrolment?.device.id} ${codes !== undefined}`)
  const isOn = devices.length > 0
  const finish = (first: readonly string[] | undefined) => {
    setEnrolment(undefined)
    setCodes(first)
    toast(text('turnedOn'))
  }
  const tag = <span className={isOn ? 'keybay-tag keybay-tag-good' : 'keybay-tag'}>{text(isOn ? 'on' : 'off')}</span>
  return (
    <Card title={text('title')} heading={heading} side={tag}>
      {isOn ? (
        <ul className="keybay-items" aria-label={text('steps')}>
          {devices.map(device => (
            <DeviceRow key={device.id} device={device} />
          ))}
        </ul>
      ) : (
        <p className="keybay-soft">{text('text')}</p>
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
      <Problem title={text('notSetUp')} error={add.error} />
      {isOn && codes === undefined && (
        <div className="keybay-line keybay-apart">
          <p className={recoveryCodesLeft < 3 ? 'keybay-small' : 'keybay-soft keybay-small'}>
            {recoveryCodesLeft === 1 ? text('codesLeftOne') : rich('codesLeft', { count: recoveryCodesLeft })}
          </p>
          <ConfirmButton
            text={text('codesNew')}
            label={text('codesNew')}
            question={text('codesNewAsk')}
            busy={renew.busy}
            confirm={renew.run}
          />
        </div>
      )}
      <Problem title={text('codesFailed')} error={renew.error} />
    </Card>
  )
}

const DIGITS = 6

function Totp({ totp }: { readonly totp: NonNullable<MfaEnrolment['totp']> }) {
  const { text } = useMessages(protectionMessages)
  const { qrCode } = useSlots()
  return (
    <>
      <p>{text(qrCode ? 'scan' : 'scanNone')}</p>
      <div className="keybay-totp">
        {qrCode?.(totp.uri, text('qr'))}
        <div className="keybay-stack keybay-tight">
          {qrCode && <p className="keybay-soft keybay-small">{text('noCamera')}</p>}
          <p className="keybay-line">
            <code className="keybay-mono keybay-break" dir="ltr">
              {totp.secret}
            </code>
            <CopyButton text={totp.secret} label={text('copyKey')} />
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
  const { text: t } = useMessages(protectionMessages)
  const explain = useExplain()
  const { codeHint } = useSlots()
  const { method } = enrolment.device
  const { busy, error, submit } = useSubmit(
    (code: string | undefined) => enrolment.confirm(code),
    ({ recoveryCodes }) => onDone(recoveryCodes),
  )
  const heading = useFocus<HTMLHeadingElement>(method === 'passkey')
  const text = t(busy ? 'followBrowser' : 'usePasskey')
  return (
    <section className="keybay-stack keybay-box" aria-labelledby="enrolment">
      <h3 id="enrolment" ref={heading} tabIndex={-1}>
        {t('setUp', { factor: t(FACTOR_TEXTS[method]).toLowerCase() })}
      </h3>
      {enrolment.totp && <Totp totp={enrolment.totp} />}
      {method === 'email' && <p>{t('emailSent')}</p>}
      {method === 'email' && codeHint?.(undefined)}
      {method === 'passkey' ? (
        <>
          <p>{t('passkeySetUp')}</p>
          <div className="keybay-line">
            <Button kind="primary" text={text} busy={busy} onClick={() => submit(undefined)} />
          </div>
          <Problem title={t('setUpFailed')} error={error} />
        </>
      ) : (
        <CodeField label={t('code')} digits={DIGITS} busy={busy} error={error && explain(error)} submit={submit} />
      )}
      <div className="keybay-line">
        <Button text={t('cancel')} onClick={cancel} />
      </div>
    </section>
  )
}

/** Recovery codes, shown once: the server keeps only values to verify them. */
function RecoveryCodes({ codes, onSaved }: { readonly codes: readonly string[]; onSaved(): void }) {
  const { text: t } = useMessages(protectionMessages)
  const heading = useFocus<HTMLHeadingElement>()
  const text = `${codes.join('\n')}\n`
  const save = () => download('recovery-codes.txt', 'text/plain;charset=utf-8', text)
  return (
    <section className="keybay-stack keybay-box" aria-labelledby="recovery-codes">
      <h3 id="recovery-codes" ref={heading} tabIndex={-1}>
        {t('codesTitle')}
      </h3>
      <Notice kind="warn" title={t('codesKeep')}>
        {t('codesText')}
      </Notice>
      <ul className="keybay-codes keybay-mono" dir="ltr" aria-label={t('codes')}>
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="keybay-line">
        <CopyButton text={text} label={t('codesCopy')}>
          {t('copy')}
        </CopyButton>
        <Button text={t('download')} aria-label={t('codesDownload')} onClick={save} />
        <Button kind="primary" text={t('codesKept')} onClick={onSaved} />
      </div>
    </section>
  )
}
