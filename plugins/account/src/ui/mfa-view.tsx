import type { MfaDevice } from '@keybay/account'
import type { Prompt } from '@keybay/kernel'
import type { MfaAction, MfaMethod } from '@keybay/kernel/spec'
import { useAction } from '@keybay/react'
import type { PromptViewProps } from '@keybay/react/ui'
import { useEffect, useState } from 'react'
import { Button, DialogHead, Failure, Glyph, type GlyphName, LineForm, Problem } from '../design/index.js'
import { explain } from '../wording.js'
import { CodeField, InboxLink, Resend } from './code-prompt.js'
import { useSubmit } from './hooks.js'

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
  return (
    <section className="stack-tight" aria-label="Other ways">
      {devices.map(({ id, method, name }) => (
        <button key={id} type="button" className="choice" onClick={() => choose(id)}>
          <Glyph name={factors[method].icon} />
          <span className="choice-name">{name}</span>
          {name !== factors[method].name && <span className="soft small">{factors[method].name}</span>}
        </button>
      ))}
      {recovery && (
        <button type="button" className="choice" onClick={() => choose('recovery')}>
          <Glyph name="shield" />
          <span className="choice-name">Use a recovery code</span>
        </button>
      )}
    </section>
  )
}

export function MfaPrompt({ prompt, titleId }: PromptViewProps<'mfa'>) {
  const devices = sorted(prompt.devices)
  const [way, choose] = useState(devices[0]?.id ?? 'recovery')
  const device = devices.find(({ id }) => id === way)
  return (
    <>
      {/* Remounted for each method, to take focus from the removed button. */}
      <DialogHead key={way} id={titleId} title="Confirm that it is you" />
      <div className="keybay-dialog-body">
        <p className="soft">{reasons[prompt.action]}</p>
        {device ? <DeviceFactor key={way} prompt={prompt} device={device} /> : <RecoveryFactor prompt={prompt} />}
        <OtherWays devices={devices.filter(({ id }) => id !== way)} recovery={way !== 'recovery'} choose={choose} />
      </div>
    </>
  )
}

function RecoveryFactor({ prompt }: { readonly prompt: Prompt<'mfa'> }) {
  const { busy, error, submit } = useSubmit(prompt.submit, prompt.answer)
  return (
    <LineForm
      label="Recovery code"
      input={{ autoCapitalize: 'characters', placeholder: 'XXXXX-XXXXX' }}
      mono
      focused
      error={error && explain(error)}
      kind="primary"
      wide
      action={busy ? 'Checking …' : 'Use recovery code'}
      busy={busy}
      submit={recoveryCode => (recoveryCode ? void submit({ recoveryCode }) : 'Enter a recovery code.')}
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
  const challenge = useAction(() => prompt.challenge(deviceId))
  const { busy, error, submit, round, restart } = useSubmit(prompt.submit, prompt.answer)
  const { run } = challenge
  useEffect(() => run(), [run])
  const isReady = challenge.status === 'success'
  if (challenge.error) return <Failure title="This cannot be used right now." error={challenge.error} retry={run} />
  if (method === 'passkey')
    return (
      <div className="stack">
        <Button
          kind="primary"
          wide
          text={busy ? 'Follow your browser …' : 'Use passkey'}
          busy={busy || !isReady}
          onClick={() => isReady && submit({ deviceId, passkey: true })}
        />
        <Problem title="Not confirmed." error={error} />
      </div>
    )
  const app = name === factors.totp.name ? 'your authenticator app' : name
  const emailSays = isReady ? 'We sent a code to your email address.' : 'Sending a code to your email address …'
  return (
    <div className="stack">
      <p>{method === 'totp' ? `Open ${app} and type the code that it shows.` : emailSays}</p>
      <CodeField
        key={round}
        label="Code"
        digits={DIGITS}
        busy={busy || !isReady}
        error={error && explain(error)}
        submit={code => submit({ deviceId, code })}
      />
      {method === 'email' && isReady && (
        <>
          <InboxLink />
          <Resend expiresAt={challenge.data} resend={() => prompt.challenge(deviceId)} onSent={restart} />
        </>
      )}
    </div>
  )
}

export const factors: { readonly [M in MfaMethod]: { readonly name: string; readonly icon: GlyphName } } = {
  totp: { name: 'Authenticator app', icon: 'device' },
  passkey: { name: 'Passkey', icon: 'key' },
  email: { name: 'Code by email', icon: 'mail' },
}

const reasons: { readonly [A in 'sign-in' | MfaAction]: string } = {
  'sign-in': 'Your account asks for a second step when you sign in.',
  'user.update': 'Your account asks for a second step before it is changed.',
  'wallet.waas.sign': 'Your account asks for a second step before your wallet signs.',
  'wallet.waas.export': 'Your account asks for a second step before a key leaves it.',
  'wallet.waas.reshare': 'Your account asks for a second step before the shares of your wallet change.',
  'wallet.waas.refresh': 'Your account asks for a second step before the shares of your wallet are renewed.',
}
