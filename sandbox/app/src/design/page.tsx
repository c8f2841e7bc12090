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
/** Path of the page whose code loads, and what had the focus when it began. */
let loading: { readonly path: string; readonly focus: Element | null } | undefined

/** For the stand-in of a page that loads: lets the page see whether the user went elsewhere before it came. */
export function useNoteFocus(): void {
  useEffect(() => {
    loading = { path: location.pathname, focus: document.activeElement }
  }, [])
}

/**
 * Screen of the app: sets the tab title and focuses its heading, so that a screen reader announces the new page. A screen
 * that replaces another at the same path, as after a sign-in, takes the focus from no other element, e.g. from an open menu;
 * nor does a page whose code came late, from what the user went to since.
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
    const isLate = loading?.path === pathname && loading.focus !== document.activeElement
    if (!isFirst && (isLost || (pathname !== shownPath && !isLate))) heading.current?.focus({ preventScroll: true })
    shownPath = pathname
    loading = undefined
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
