import { type Connector, type KeybayError, toKeybayError } from '@keybay/kernel'
import { type KeyboardEvent, type ReactElement, useCallback, useEffect, useId, useRef, useState } from 'react'
import { useConnect } from '../connect.js'
import { type ConnectorFilter, useConnectors } from '../connectors.js'
import { useKeybay } from '../context.js'
import { Button } from './button.js'
import type { ConnectDialogProps } from './connect-dialog.js'
import { ConnectorRow } from './connector-row.js'
import { ui } from './locales/en/ui.js'
import { useMessages } from './messages.js'
import { useRecent } from './recent.js'
import { useWording } from './wording.js'

/** Above this number of connectors, a search field helps. */
const MAX_WITHOUT_SEARCH = 8

interface Group {
  readonly title: 'installed' | 'ofAccount' | 'logIn' | 'notInstalled'
  has(connector: Connector): boolean
}
function isUsable({ kind, readiness }: Connector): boolean {
  return kind === 'wallet' && /^(ready|loading)$/.test(readiness)
}
/** Returns true for embedded and custody wallets, which no user installs. */
function isOfAccount(connector: Connector): boolean {
  return connector.kind === 'wallet' && /^(emb|cust)/.test(connector.connectionType)
}
const GROUPS: readonly Group[] = [
  { title: 'installed', has: connector => isUsable(connector) && !isOfAccount(connector) },
  { title: 'ofAccount', has: connector => isUsable(connector) && isOfAccount(connector) },
  { title: 'logIn', has: ({ kind, readiness }) => kind === 'login' && readiness !== 'unsupported' },
  { title: 'notInstalled', has: ({ kind, readiness }) => kind === 'wallet' && readiness === 'not-installed' },
]

/** Moves the focus between choices by the arrow keys. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  const choices = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button.keybay-row, a.keybay-row')]
  const next = choices[choices.findIndex(choice => choice.matches(':focus')) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** A text that the keyboard can scroll where it is longer than its room. */
function StatusText({ text }: { readonly text: string }): ReactElement {
  // A new function, so that it also runs when the text in another language replaces the English one.
  const allowFocus = (element: HTMLElement | null) => {
    if (element && element.scrollHeight > element.clientHeight) element.tabIndex = 0
  }
  return <p ref={allowFocus}>{text}</p>
}

interface FailureProps extends Pick<ConnectorListProps, 'setUp' | 'onDone'> {
  readonly wallet: Connector
  readonly error: KeybayError
}
/** Says what to do after a failure, and offers to set up a wallet that the app sets up. */
function Failure({ wallet: { id, name }, error, setUp, onDone }: FailureProps): ReactElement {
  const { text } = useMessages(ui)
  const { advice } = useWording()
  const start = setUp?.[id]
  if (!start || error.code !== 'account_not_found') return <StatusText text={advice(error, name)} />
  const begin = () => {
    onDone()
    start()
  }
  return (
    <>
      <StatusText text={text('errorSetUp', { name })} />
      <Button kind="primary" text={text('setUp')} onClick={begin} />
    </>
  )
}

interface ConnectorListProps {
  readonly filter: ConnectorFilter | undefined
  /** Called when the user is connected or signed in. */
  onDone(): void
  /** Called after `onDone` when the chosen wallet needs a signed-in user. */
  readonly onSignIn: ((connector: Connector) => void) | undefined
  readonly setUp: ConnectDialogProps['setUp'] | undefined
}
/** The choices of the connect dialog and the state of the chosen one. Unmounting it cancels the attempt that it began. */
export function ConnectorList({ filter, onDone, onSignIn, setUp }: ConnectorListProps): ReactElement {
  const { connectors } = useKeybay()
  const { runAsync, attempt } = useConnect()
  const all = useConnectors(filter)
  const [query, setQuery] = useState('')
  const [picked, setPicked] = useState<Connector>()
  const { text, rich } = useMessages(ui)
  const { waiting } = useWording()
  const { list: recent, add: remember } = useRecent('recent:connect')
  const running = useRef<AbortController | undefined>(undefined)
  const id = useId()
  // Deferred: the host may unmount the dialog in the moment of success, which must not undo the connection.
  useEffect(() => () => void setTimeout(() => running.current?.abort()), [])

  const pick = useCallback(
    (connector: Connector) => {
      running.current?.abort()
      const controller = new AbortController()
      running.current = controller
      setPicked(connector)
      // In the click, so that a popup may open. The attempt shows how it ends.
      runAsync(connector.id, undefined, { signal: controller.signal }).then(
        () => {
          remember(connector.id)
          if (running.current === controller) onDone()
        },
        (error: unknown) => {
          if (running.current !== controller || !onSignIn || toKeybayError(error).code !== 'session_missing') return
          onDone()
          onSignIn(connector)
        },
      )
    },
    [runAsync, onDone, onSignIn, remember],
  )
  const hint = useCallback((connector: Connector) => connectors.preload(connector.id), [connectors])
  const cancel = () => {
    running.current?.abort()
    setPicked(undefined)
  }
  const current = picked && attempt(picked.id)
  const wait = picked && waiting(current, picked)
  const words = query.trim().toLowerCase()
  const shown = words ? all.filter(({ name }) => name.toLowerCase().includes(words)) : all
  const getRank = ({ id }: Connector) => (recent.includes(id) ? recent.indexOf(id) : recent.length)
  const sorted = [...shown].sort((a, b) => getRank(a) - getRank(b))
  const groups = GROUPS.map(({ title, has }) => ({ title, members: sorted.filter(has) })).filter(
    ({ members }) => members.length,
  )
  const getId = (title: string) => `${id}${title}`
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the choices inside */}
      <div className="keybay-choices" onKeyDown={moveFocus}>
        {all.filter(({ readiness }) => readiness !== 'unsupported').length > MAX_WITHOUT_SEARCH && (
          <input
            type="search"
            className="keybay-search"
            placeholder={text('search')}
            aria-label={text('searchAll')}
            value={query}
            onChange={event => setQuery(event.target.value)}
          />
        )}
        {groups.map(({ title, members }) => (
          <section key={title} aria-labelledby={getId(title)}>
            <h3 id={getId(title)}>{text(title)}</h3>
            <ul className={title === 'notInstalled' ? 'keybay-others' : undefined}>
              {members.map(connector => (
                <li key={connector.id}>
                  <ConnectorRow
                    connector={connector}
                    busy={wait !== undefined && connector.id === picked?.id}
                    isLast={connector.id === recent[0]}
                    onPick={pick}
                    onHint={hint}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
        {groups.length === 0 && (
          <p className="keybay-empty">{words ? rich('noResults', { query: query.trim() }) : text('noWallets')}</p>
        )}
      </div>
      <div className="keybay-status" role="status" data-kind={current?.error ? 'error' : undefined}>
        {wait && (
          <>
            <span className="keybay-spinner" aria-hidden="true" />
            <StatusText text={wait} />
            <Button text={text('cancel')} onClick={cancel} />
          </>
        )}
        {picked && current?.error && <Failure wallet={picked} error={current.error} setUp={setUp} onDone={onDone} />}
      </div>
    </>
  )
}
