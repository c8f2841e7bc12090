import { useId } from 'react'
import { CopyButton } from './button.js'

/** Shows a long result, e.g. a signature, with a button to copy it. */
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
