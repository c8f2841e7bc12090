import type { Priority } from '@keybay/solana'
import { useId } from 'react'
import { getSymbol, type Holding, tokenText } from '../tokens/holdings.js'

interface AssetFieldProps {
  /** Address of a mint; empty for SOL. */
  readonly value: string
  readonly holdings: readonly Holding[]
  readonly onChange: (mint: string) => void
}
/** Selects the asset to send. */
export function AssetField({ value, holdings, onChange }: AssetFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        Asset
      </label>
      <select id={id} className="input" value={value} onChange={event => onChange(event.target.value)}>
        <option value="">SOL</option>
        {value && !holdings.some(({ mint }) => mint === value) && <option value={value}>{getSymbol(value)}</option>}
        {holdings.map(holding => (
          <option key={holding.mint} value={holding.mint}>
            {tokenText(holding.amount, holding)}
          </option>
        ))}
      </select>
    </div>
  )
}

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
export function SpeedField({ value, onChange }: SpeedFieldProps) {
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
