import type { Priority } from '@keybay/solana'
import { type ReactElement, useId } from 'react'

export type Speed = Extract<Priority, string>

const speeds: readonly { readonly value: Speed; readonly says: string }[] = [
  { value: 'none', says: 'Normal: no extra fee' },
  { value: 'low', says: 'Faster: what a quarter of others paid of late' },
  { value: 'medium', says: 'Fast: what half of them paid' },
  { value: 'high', says: 'First: what three quarters paid' },
]

interface SpeedFieldProps {
  readonly value: Speed
  readonly onChange: (speed: Speed) => void
}
/** Selects the priority fee for a busy chain: a percentile of recent fees. */
export function SpeedField({ value, onChange }: SpeedFieldProps): ReactElement {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        Speed
      </label>
      <select
        id={id}
        className="input"
        value={value}
        onChange={event => onChange(speeds.find(speed => speed.value === event.target.value)?.value ?? 'none')}
      >
        {speeds.map(speed => (
          <option key={speed.value} value={speed.value}>
            {speed.says}
          </option>
        ))}
      </select>
    </div>
  )
}
