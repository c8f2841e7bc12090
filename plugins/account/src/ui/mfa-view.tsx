import type { Prompt } from '@keybay/kernel'
import type { MfaAction } from '@keybay/kernel/spec'
import { useAction } from '@keybay/react'
import {
  Button,
  DialogHead,
  Failure,
  Glyph,
  LineForm,
  Problem,
  type PromptViewProps,
  promptMessages,
  useExplain,
  useMessages,
} from '@keybay/react/ui'
import { type ReactElement, useEffect, useState } from 'react'
import type { MfaDevice } from '../user.js'
import { CodeField } from './code-field.js'
import { Resend } from './code-view.js'
import { FACTOR_GLYPHS, FACTOR_TEXTS, isDefaultName } from './factors.js'
import { useSubmit } from './hooks.js'
import { useSlots } from './slots.js'

const REASONS = {
  'sign-in': 'why_signIn',
  'user.update': 'why_update',
  'wallet.waas.sign': 'why_sign',
  'wallet.waas.export': 'why_export',
  'wallet.waas.reshare': 'why_reshare',
  'wallet.waas.refresh': 'why_refresh',
} as const satisfies { readonly [A in 'sign-in' | MfaAction]: string }

/** Least effort first; an email is sent only if the user chooses it or has no other method. */
const ORDER = ['passkey', 'totp', 'email'] as const

function sorted(devices: readonly MfaDevice[]): readonly MfaDevice[] {
  return [...devices].sort((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method))
}

interface OtherWaysProps {
  readonly devices: readonly MfaDevice[]
  readonly recovery: boolean
  choose(way: string): void
}
function OtherWays({ devices, recovery, choose }: OtherWaysProps) {
  const { text } = useMessages(promptMessages)
  return (
    <section className="keybay-stack keybay-tight" aria-label={text('otherWays')}>
      {devices.map(({ id, method, name }) => (
        <button key={id} type="button" className="keybay-choice" onClick={() => choose(id)}>
          <Glyph name={FACTOR_GLYPHS[method]} />
          <span className="keybay-choice-name">
            <bdi>{isDefaultName(name, method) ? text(FACTOR_TEXTS[method]) : name}</bdi>
          </span>
          {!isDefaultName(name, method) && (
            <span className="keybay-soft keybay-small">{text(FACTOR_TEXTS[method])}</span>
          )}
        </button>
      ))}
      {recovery && (
        <button type="button" className="keybay-choice" onClick={() => choose('recovery')}>
          <Glyph name="shield" />
          <span className="keybay-choice-name">{text('recovery')}</span>
        </button>
      )}
    </section>
  )
}

export function MfaView({ prompt, titleId }: PromptViewProps<'mfa'>): ReactElement {
  const { text } = useMessages(promptMessages)
  const devices = sorted(prompt.devices)
  const [way, choose] = useState(devices[0]?.id ?? 'recovery')
  const device = devices.find(({ id }) => id === way)
  return (
    <>
      {/* Remounted for each method, to take focus from the removed button. */}
      <DialogHead key={way} id={titleId} title={text('mfaTitle')} />
      <div className="keybay-dialog-body">
        <p className="keybay-soft">{text(REASONS[prompt.action])}</p>
        {device ? <DeviceFactor key={way} prompt={prompt} device={device} /> : <RecoveryFactor prompt={prompt} />}
        <OtherWays devices={devices.filter(({ id }) => id !== way)} recovery={way !== 'recovery'} choose={choose} />
      </div>
    </>
  )
}

function RecoveryFactor({ prompt }: { readonly prompt: Prompt<'mfa'> }) {
  const { text } = useMessages(promptMessages)
  const explain = useExplain()
  const { busy, error, submit } = useSubmit(prompt.submit, prompt.answer)
  return (
    <LineForm
      label={text('recoveryCode')}
      input={{ autoCapitalize: 'characters', placeholder: 'XXXXX-XXXXX' }}
      mono
      focused
      error={error && explain(error)}
      kind="primary"
      wide
      action={text(busy ? 'checking' : 'recoveryUse')}
      busy={busy}
      submit={recoveryCode => (recoveryCode ? void submit({ recoveryCode }) : text('recoveryMissing'))}
    />
  )
}

/** Number of digits in the codes of all second factors. */
const DIGITS = 6

interface DeviceFactorProps {
  readonly prompt: Prompt<'mfa'>
  readonly device: MfaDevice
}

function DeviceFactor({ prompt, device: { id: deviceId, method, name } }: DeviceFactorProps) {
  const { text, rich } = useMessages(promptMessages)
  const explain = useExplain()
  const { codeHint } = useSlots()
  const challenge = useAction(() => prompt.challenge(deviceId))
  const { busy, error, submit, round, restart } = useSubmit(prompt.submit, prompt.answer)
  const { run } = challenge
  useEffect(() => run(), [run])
  const isReady = challenge.status === 'success'
  if (challenge.error) return <Failure title={text('notNow')} error={challenge.error} retry={run} />
  if (method === 'passkey')
    return (
      <div className="keybay-stack">
        <Button
          kind="primary"
          wide
          text={text(busy ? 'followBrowser' : 'usePasskey')}
          busy={busy || !isReady}
          onClick={() => isReady && submit({ deviceId, passkey: true })}
        />
        <Problem title={text('notConfirmed')} error={error} />
      </div>
    )
  const app = isDefaultName(name, method) ? text('authenticator') : name
  const emailText = text(isReady ? 'mfaEmail' : 'mfaEmailSending')
  return (
    <div className="keybay-stack">
      <p>{method === 'totp' ? rich('mfaTotp', { app }) : emailText}</p>
      <CodeField
        key={round}
        label={text('code')}
        digits={DIGITS}
        busy={busy || !isReady}
        error={error && explain(error)}
        submit={code => submit({ deviceId, code })}
      />
      {method === 'email' && isReady && (
        <>
          {codeHint?.(undefined)}
          <Resend expiresAt={challenge.data} resend={() => prompt.challenge(deviceId)} onSent={restart} />
        </>
      )}
    </div>
  )
}
