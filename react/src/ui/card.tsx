import { type ReactElement, type ReactNode, type Ref, useId } from 'react'
import { join, usePartClass } from './provider.js'

export interface CardProps {
  readonly title: ReactNode
  /** Beside the title. */
  readonly side?: ReactNode
  /** Makes the heading focusable. */
  readonly heading?: Ref<HTMLHeadingElement>
  readonly className?: string
  readonly children?: ReactNode
}

/**
 * A section with a heading, which names it.
 *
 * @example <Card title="Sessions"><p>2 devices</p></Card>
 */
export function Card({ title, side, heading, className, children }: CardProps): ReactElement {
  const id = useId()
  const head = (
    <h2 id={id} ref={heading} {...(heading && { tabIndex: -1 })}>
      {title}
    </h2>
  )
  return (
    <section className={join('keybay-card', className, usePartClass('card'))} aria-labelledby={id}>
      {side === undefined ? (
        head
      ) : (
        <div className="keybay-card-head">
          {head}
          {side}
        </div>
      )}
      {children}
    </section>
  )
}

export interface FactProps {
  readonly name: string
  readonly className?: string
  readonly children: ReactNode
}
/**
 * A name and a value, in `<dl className="keybay-facts">`.
 *
 * @example <dl className="keybay-facts"><Fact name="Fee">0.000005 SOL</Fact></dl>
 */
export function Fact({ name, className, children }: FactProps): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={className}>{children}</dd>
    </div>
  )
}

export interface ItemProps {
  readonly mark?: ReactNode
  readonly children: ReactNode
  readonly actions?: ReactNode
}
/**
 * Row of `<ul className="keybay-items">`: an icon, texts, and buttons.
 *
 * @example <ul className="keybay-items"><Item mark={<Glyph name="key" />}>Passkey</Item></ul>
 */
export function Item({ mark, children, actions }: ItemProps): ReactElement {
  return (
    <li className="keybay-item">
      {mark}
      <div className="keybay-item-text">{children}</div>
      {actions !== undefined && <div className="keybay-item-actions">{actions}</div>}
    </li>
  )
}
