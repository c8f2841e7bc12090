import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'

interface PageProps {
  readonly title: string
  /** Tab title, if the heading is too long for it. */
  readonly tabTitle?: string
  readonly lead?: ReactNode
  /** `narrow`: a form that is read from top to bottom. */
  readonly width?: 'narrow' | 'wide'
  /** Main action; makes the page header large and colored. */
  readonly action?: ReactNode
  /** Beside the heading and the action, or below them where there is no room. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** Notice that every page shows below its heading. */
export const PageNotice = createContext<ReactNode>(undefined)
/** Path that the last screen was shown at. */
let shownPath: string | undefined

/**
 * Screen of the app: sets the tab title and focuses its heading, so that a screen reader announces the new page. A screen
 * that replaces another at the same path, as after a sign-in, takes the focus from no other element, e.g. from an open menu.
 */
export function Page({ title, tabTitle = title, lead, width = 'wide', action, aside, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const notice = useContext(PageNotice)
  useEffect(() => {
    document.title = `${tabTitle} · Keybay sandbox`
  }, [tabTitle])
  useEffect(() => {
    const { pathname } = location
    // On the first page keep the focus that the browser set.
    const isFirst = shownPath === undefined
    const isLost = document.activeElement === document.body
    if (!isFirst && (isLost || pathname !== shownPath)) heading.current?.focus({ preventScroll: true })
    shownPath = pathname
  }, [])
  return (
    <div className={`page page-${width}`}>
      <div className={action === undefined ? undefined : 'page-hero'}>
        <div className="page-head">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <p className="soft">{lead}</p>}
          {action}
        </div>
        {aside}
      </div>
      {notice}
      {children}
    </div>
  )
}
