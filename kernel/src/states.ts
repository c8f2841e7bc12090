/** The states of a connector and the one function that changes them. The kernel's README shows the same table. */

/**
 * - `idle`: not connected. If the user wants it connected, it reconnects when its wallet comes.
 * - `reconnecting`: asks the wallet silently.
 * - `connecting`: the user asked for it.
 * - `redirecting`: the attempt left the page.
 * - `resuming`: reads the response of a redirect.
 * - `connected`: has accounts.
 * - `operating`: connected, and reads the response to a wallet method that left the page.
 * - `refused`: the last attempt failed. It is not asked again silently until another tab connects it.
 */
export type ConnectorState =
  | 'idle'
  | 'reconnecting'
  | 'connecting'
  | 'redirecting'
  | 'resuming'
  | 'connected'
  | 'operating'
  | 'refused'

/**
 * - `connect`, `reconnect`, `resume`: an attempt begins: by the user, silently, or with the response of a redirect.
 * - `redirect`, `open`, `finish`, `fail`: the attempt leaves the page, gets accounts, ends without any, or fails.
 * - `cancel`: the app ends the attempt. `disconnect`: the app disconnects.
 * - `accounts`, `lock`: the wallet reports accounts, or none, by itself.
 * - `tabConnect`, `tabDisconnect`: another tab did so.
 * - `remove`: the connector left, or another wallet has its id. `dispose`: the instance ends.
 */
export type ConnectorEvent =
  | 'connect'
  | 'reconnect'
  | 'resume'
  | 'redirect'
  | 'open'
  | 'finish'
  | 'fail'
  | 'cancel'
  | 'disconnect'
  | 'accounts'
  | 'lock'
  | 'tabConnect'
  | 'tabDisconnect'
  | 'remove'
  | 'dispose'

type Table = { readonly [S in ConnectorState]: { readonly [E in ConnectorEvent]?: ConnectorState } }

const END = { disconnect: 'idle', remove: 'idle', dispose: 'idle' } as const
const ATTEMPT = { ...END, open: 'connected', fail: 'refused', cancel: 'idle' } as const
/** The next state per state and event; an event without an entry changes nothing. */
export const TRANSITIONS: Table = {
  idle: { reconnect: 'reconnecting', connect: 'connecting', resume: 'resuming', accounts: 'connected' },
  reconnecting: { ...ATTEMPT, connect: 'connecting', resume: 'resuming', tabDisconnect: 'idle' },
  connecting: { ...ATTEMPT, redirect: 'redirecting', finish: 'idle' },
  redirecting: { ...ATTEMPT, finish: 'idle', tabConnect: 'idle' },
  resuming: { ...ATTEMPT, redirect: 'redirecting', finish: 'idle', fail: 'idle' },
  connected: { ...END, resume: 'operating', lock: 'idle', tabDisconnect: 'idle' },
  operating: {
    ...END,
    open: 'connected',
    finish: 'connected',
    fail: 'connected',
    cancel: 'connected',
    lock: 'resuming',
    tabDisconnect: 'resuming',
  },
  refused: {
    ...END,
    connect: 'connecting',
    resume: 'resuming',
    accounts: 'connected',
    tabConnect: 'idle',
    tabDisconnect: 'idle',
  },
}

export function transition(state: ConnectorState, event: ConnectorEvent): ConnectorState {
  return TRANSITIONS[state][event] ?? state
}
