import { type ReactElement, type ReactNode, useEffect, useRef } from 'react'
import { ReturnedNotice } from '../phone/returned-notice.js'

interface PageProps {
  /** The heading, and the tab's title. */
  readonly title: string
  /** Instead of the heading in the title of the tab, where the heading is long. */
  readonly tabTitle?: string
  readonly lead?: ReactNode
  /** `narrow`: a form that is read from top to bottom. */
  readonly width?: 'narrow' | 'wide'
  /** What to do first: makes the head of the page large and coloured. */
  readonly action?: ReactNode
  readonly children: ReactNode
}
let isFirst = true

/** One screen: names the tab, and takes the focus to its heading, so that a screen reader says where one has come. */
export function Page({ title, tabTitle = title, lead, width = 'wide', action, children }: PageProps): ReactElement {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${tabTitle} · Keybay sandbox`
  }, [tabTitle])
  useEffect(() => {
    // The first page has the focus where the browser put it.
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
      <ReturnedNotice />
      {children}
    </div>
  )
}
