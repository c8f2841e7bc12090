/**
 * Limits wrong passwords: five in a row, then a wait that doubles. The limit stops a page that tries passwords through
 * the frame. An attacker who copied the browser's files is slowed down by argon2id alone.
 */
import { type Clock, KeybayError } from '@keybay/kernel/spec'
import { type Argon2id, type BackupSecret, backupUnreadable } from '@keybay/waas/mpc'
import { checkEnvelope } from '../backup/envelope.js'
import { frameError } from '../errors/errors.js'
import type { KeptSet } from '../store/kept.js'
import type { Locks } from '../store/locks.js'
import type { ShareStore } from '../store/share-store.js'

export interface Limited {
  readonly store: ShareStore
  readonly locks: Locks
  readonly clock: Pick<Clock, 'now'>
}

const FREE = 5
const FIRST_WAIT = 30_000
const MAX_WAIT_MS = 900_000

const WRONG: ReadonlySet<string> = new Set(['frame_password_wrong', backupUnreadable.code])

function waitAfter(wrong: number): number {
  return wrong < FREE ? 0 : Math.min(FIRST_WAIT * 2 ** (wrong - FREE), MAX_WAIT_MS)
}

/**
 * Runs one attempt. It counts before its result is known, so that a page gains nothing by removing the frame.
 * @throws KeybayError `frame_password_limited` with `details { retryAfter }` in seconds; the errors of `open`
 */
export function tryPassword<T>(
  { store, locks, clock }: Limited,
  { user, setId }: Pick<KeptSet, 'user' | 'setId'>,
  open: () => Promise<T>,
): Promise<T> {
  return locks.changing(`password ${setId}`, async () => {
    const before = await store.attempts(user, setId)
    const wait = (before?.notBefore ?? 0) - clock.now()
    if (wait > 0) {
      const retryAfter = Math.ceil(wait / 1000)
      throw frameError('frame_password_limited', { detail: `try again in ${retryAfter} s`, details: { retryAfter } })
    }
    const wrong = (before?.wrong ?? 0) + 1
    await store.keepAttempts(user, setId, { wrong, notBefore: clock.now() + waitAfter(wrong) })
    try {
      const opened = await open()
      await store.keepAttempts(user, setId, undefined)
      return opened
    } catch (error) {
      if (!(error instanceof KeybayError && WRONG.has(error.code))) await store.keepAttempts(user, setId, before)
      throw error
    }
  })
}

/**
 * Opens an envelope that waits in this browser for its place. It is often under the wallet's own password, so its
 * attempts count against the same limit.
 * @param set the expected share set as bytes
 * @throws KeybayError `mpc_backup_unreadable`, `frame_password_limited`; as `checkEnvelope`
 */
export function tryEnvelope(
  frame: Limited & { readonly argon2id: Argon2id },
  owner: Pick<KeptSet, 'user' | 'setId'>,
  {
    envelope,
    set,
    password,
  }: { readonly envelope: Uint8Array; readonly set: Uint8Array; readonly password: BackupSecret },
): Promise<CryptoKey> {
  return tryPassword(frame, owner, () => checkEnvelope(envelope, { set, password, argon2id: frame.argon2id }))
}
