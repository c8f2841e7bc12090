import { type ReactElement, useId } from 'react'
import { getSymbol, type Holding, tokenText } from '../tokens/holdings.js'

interface AssetFieldProps {
  /** Address of a mint; empty for SOL. */
  readonly value: string
  readonly holdings: readonly Holding[]
  readonly onChange: (mint: string) => void
}
/** Selects the asset to send. */
export function AssetField({ value, holdings, onChange }: AssetFieldProps): ReactElement {
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
