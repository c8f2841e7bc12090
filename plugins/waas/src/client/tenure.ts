/** The time during which one user is signed in. No operation continues with the next user's token. */
import type { Kernel } from '@keybay/kernel'
import { KeybayError, sessionMissing, toKeybayError } from '@keybay/kernel/spec'
import { sessionChanged } from '../protocol/errors.js'
import { SIGN_IN_FIRST, waasError } from './errors.js'

export interface Tenure {
  readonly userId: string
  /** Aborts with `session_changed` when the user signs out or another one signs in. */
  readonly signal: AbortSignal
}
export interface Tenures<T> {
  /**
   * Returns the value of the signed-in user.
   * @param expected the user of the call; undefined if no user was known
   * @throws KeybayError `session_missing`; `session_changed` if another user is signed in
   */
  current(expected?: string): Promise<T>
  stop(): void
}
interface Ending {
  end(): void
}
interface Opened<T> extends Tenure {
  readonly value: T
  readonly control: AbortController
}

/** @throws KeybayError `session_changed` once the tenure has ended */
export function assertTenure({ signal }: Pick<Tenure, 'signal'>): void {
  if (signal.aborted) throw toKeybayError(signal.reason)
}

/** @param onChange runs after each change of user, with the signed-in user */
export function createTenures<T extends Ending>(
  { session }: Pick<Kernel, 'session'>,
  open: (tenure: Tenure) => T,
  onChange: (userId: string | undefined) => void,
): Tenures<T> {
  let opened: Opened<T> | undefined

  function end(): void {
    const ended = opened
    opened = undefined
    ended?.control.abort(new KeybayError(sessionChanged))
    // After the abort, so that each operation rejects with its reason.
    ended?.value.end()
  }
  function begin(userId: string): Opened<T> {
    if (opened?.userId === userId) return opened
    end()
    const control = new AbortController()
    const { signal } = control
    opened = { userId, signal, control, value: open({ userId, signal }) }
    return opened
  }
  function follow(): void {
    const { userId, status } = session.current
    // A pending sign-in changes nothing yet, and a renewed token belongs to the same user.
    if (status === 'authenticating') return
    const isSignedIn = status === 'authenticated'
    if (isSignedIn && userId === opened?.userId) return
    end()
    onChange(isSignedIn ? userId : undefined)
  }
  return {
    async current(expected) {
      await session.restore()
      const { userId } = session.current
      if (userId === undefined) throw waasError(sessionMissing, SIGN_IN_FIRST)
      if (expected !== undefined && expected !== userId) throw new KeybayError(sessionChanged)
      return begin(userId).value
    },
    stop: session.subscribe(follow),
  }
}
