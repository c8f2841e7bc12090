import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import { Glyph } from './icons.js'

interface PageProps {
  readonly title: string
  /** Tab title, if the heading is too long for it. */
  readonly tabTitle?: string
  readonly lead?: ReactNode
  /** `narrow`: a form that is read from top to bottom. */
  readonly width?: 'narrow' | 'wide'
  /** Main action; makes the page header large and colored. */
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** Notice that every page shows below its heading. */
export const PageNotice = createContext<ReactNode>(undefined)
let isFirst = true

/** Screen of the app: sets the tab title and focuses its heading, so that a screen reader announces the new page. */
export function Page({ title, tabTitle = title, lead, width = 'wide', action, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const notice = useContext(PageNotice)
  useEffect(() => {
    document.title = `${tabTitle} · Keybay sandbox`
  }, [tabTitle])
  useEffect(() => {
    // On the first page keep the focus that the browser set.
    if (!isFirst) heading.current?.focus({ preventScroll: true })
    isFirst = false
  }, [])
  return (
    <div className={`page page-${width}`}>
      <div className={action === undefined ? 'page-head' : 'page-head page-hero'}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead !== undefined && <p className="soft">{lead}</p>}
        {action}
      </div>
      {notice}
      {children}
    </div>
  )
}

interface DialogHeadProps {
  /** The dialog uses it as its accessible name. */
  readonly id: string
  readonly title: string
  /** Label of the back button, e.g. `Use another address`. */
  readonly back?: string
  onBack?(): void
}

/**
 * Heading of one view in a dialog. Takes focus when the view replaces another one, because the focused element is
 * gone. A field of the view may then take focus.
 */
export function DialogHead({ id, title, back, onBack }: DialogHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus()
  }, [])
  return (
    <div className="dialog-head">
      {back !== undefined && (
        <button
          type="button"
          className="button button-quiet button-icon button-small"
          aria-label={back}
          title={back}
          onClick={onBack}
        >
          <Glyph name="back" />
        </button>
      )}
      <h2 id={id} ref={heading} tabIndex={-1}>
        {title}
      </h2>
    </div>
  )
}
