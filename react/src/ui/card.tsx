import { type ReactNode, type Ref, useId } from 'react'
import { CopyButton } from './button.js'

interface CardProps {
  readonly title: ReactNode
  readonly side?: ReactNode
  readonly heading?: Ref<HTMLHeadingElement>
  readonly className?: string
  readonly children?: ReactNode
}

export function Card({ title, side, heading, className, children }: CardProps) {
  const id = useId()
  const head = (
    <h2 id={id} ref={heading} {...(heading && { tabIndex: -1 })}>
      {title}
    </h2>
  )
  return (
    <section className={className ? `card ${className}` : 'card'} aria-labelledby={id}>
      {side === undefined ? (
        head
      ) : (
        <div className="card-head">
          {head}
          {side}
        </div>
      )}
      {children}
    </section>
  )
}

export function Fact({ name, className, children }: { name: string; className?: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={className}>{children}</dd>
    </div>
  )
}

/** Row of a list: an icon, texts, and buttons. */
export function Item({ mark, children, actions }: { mark?: ReactNode; children: ReactNode; actions?: ReactNode }) {
  return (
    <li className="item">
      {mark}
      <div className="item-text">{children}</div>
      {actions !== undefined && <div className="item-actions">{actions}</div>}
    </li>
  )
}

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

/** One experiment: what it is, and the control that starts it. */
export function LabCard({ title, text, children }: { title: string; text: ReactNode; children: ReactNode }) {
  return (
    <li className="card">
      <div className="stack-tight">
        <h2>{title}</h2>
        <p className="soft">{text}</p>
      </div>
      {children}
    </li>
  )
}
