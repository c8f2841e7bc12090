import { CopyButton } from '@keybay/react/ui'
import { type ReactNode, useId } from 'react'

/** A sentence and the control that acts on it. */
export function Offer({ says, children }: { says: ReactNode; children: ReactNode }) {
  return (
    <div className="row row-apart">
      <p className="soft small">{says}</p>
      {children}
    </div>
  )
}

export function Output({ label, copyLabel, text }: { label: string; copyLabel: string; text: string | undefined }) {
  const id = useId()
  return text === undefined ? null : (
    <div className="keybay-field">
      <span className="keybay-field-label" id={id}>
        {label}
        <CopyButton text={text} label={copyLabel} />
      </span>
      <output className="code mono break small" aria-labelledby={id}>
        {text}
      </output>
    </div>
  )
}

/** One experiment: what it is, and the control that starts it. */
export function LabCard({ title, text, children }: { title: string; text: ReactNode; children: ReactNode }) {
  return (
    <li className="keybay-card">
      <div className="stack-tight">
        <h2>{title}</h2>
        <p className="soft">{text}</p>
      </div>
      {children}
    </li>
  )
}
