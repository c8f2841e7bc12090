import type { MfaDevice } from '@keybay/account'
import type { PromptViewProps } from '@keybay/react/ui'
import { type ReactElement, useState } from 'react'
import { DialogHead } from '../design/dialog-head.js'
import { Glyph } from '../design/icons.js'
import { DeviceFactor } from './device-factor.js'
import { factors, reasons } from './mfa-wording.js'
import { RecoveryFactor } from './recovery-factor.js'

/** Least effort first; an email is sent only if the user chooses it or has no other method. */
const ORDER = ['passkey', 'totp', 'email'] as const

function sorted(devices: readonly MfaDevice[]): readonly MfaDevice[] {
  return [...devices].sort((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method))
}

interface WaysProps {
  readonly devices: readonly MfaDevice[]
  readonly recovery: boolean
  choose(way: string): void
}
/** Lists the alternatives below the method in use. */
function OtherWays({ devices, recovery, choose }: WaysProps): ReactElement {
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

/** Prompts for a second factor: a device or a recovery code. */
export function MfaPrompt({ prompt, titleId }: PromptViewProps<'mfa'>): ReactElement {
  const devices = sorted(prompt.devices)
  const [way, choose] = useState(devices[0]?.id ?? 'recovery')
  const device = devices.find(({ id }) => id === way)
  return (
    <>
      {/* Remounted for each method, to take focus from the removed button. */}
      <DialogHead key={way} id={titleId} title="Confirm that it is you" />
      <div className="dialog-body">
        <p className="soft">{reasons[prompt.action]}</p>
        {device ? <DeviceFactor key={way} prompt={prompt} device={device} /> : <RecoveryFactor prompt={prompt} />}
        <OtherWays devices={devices.filter(({ id }) => id !== way)} recovery={way !== 'recovery'} choose={choose} />
      </div>
    </>
  )
}
