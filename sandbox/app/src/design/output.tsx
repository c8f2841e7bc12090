import { useId } from 'react'
import { CopyButton } from './button.js'

export function Output({ label, copyLabel, text }: { label: string; copyLabel: string; text: string | undefined }) {
  const id = useId()
  return text === undefined ? null : (
    <div className="field">
      <span className="field-label" id={id}>
        {label}
        <CopyButton text={text} label={copyLabel} />
      </span>
      <output className="code mono break small" aria-labelledby={id}>
        {text}
      </output>
    </div>
  )
}
