/**
 * Keeps opened shares in memory, so that the next operation does not open them again. A wallet with a password still
 * needs it for each operation.
 *
 * Several operations can use a share at once, and it may be replaced or forgotten while they run. Each takes a lease;
 * the share is erased when the last lease ends, because a signature with an erased share would be invalid.
 */
import { sha256, toBase64Url, utf8 } from '@keybay/kernel/spec'
import { createFrameSigner, eraseShare, type FrameAttempt, type FrameSigner, type KeyShare } from '@keybay/waas/mpc'
import type { KeptSet } from '../store/kept.js'

export interface ReadyShare {
  readonly share: KeyShare
  /** Returns fresh commitments for one HTTP attempt. */
  begin(message: Uint8Array): FrameAttempt
  /** Precomputation steps of a few ms each, which the first signature would otherwise take. */
  readonly warmUp: readonly (() => void)[]
}
export interface Lease {
  readonly ready: ReadyShare
  release(): void
}
export interface Signers {
  /**
   * Lends the share of a set.
   * @param password opens the share; a password that differs from the previous one opens it again
   * @param open unseals the share
   */
  lend(
    set: Pick<KeptSet, 'setId' | 'share'>,
    password: string | undefined,
    open: () => Promise<KeyShare>,
  ): Promise<Lease>
  /** Stops lending the shares of all wallets, or of one set, and erases each once its last lease ends. */
  forget(setId?: string): void
}

interface Entry {
  readonly epoch: number
  /** Keyed hash of the password, never the password itself. */
  readonly unlock: string | undefined
  /** Identifies the sealed data that was opened, because another frame may have changed the password since. */
  readonly sealing: string
  lend(): Lease
  /** Erases the share now, or when its last lease ends. */
  end(): void
}

function readyShare(share: KeyShare): Pick<Entry, 'lend' | 'end'> {
  // Every relay of the set signs with the device, which is the threshold of every scheme.
  const peers = share.set.parties.filter(party => party === 'R1' || party === 'R2')
  let known: FrameSigner | undefined
  let users = 0
  let isOver = false
  const signer = () => {
    known ??= createFrameSigner(share, peers)
    return known
  }
  const ready: ReadyShare = {
    share,
    begin: message => signer().begin(message),
    get warmUp() {
      return signer().warmUp
    },
  }
  const eraseUnused = () => {
    if (isOver && users === 0) eraseShare(share)
  }
  return {
    lend() {
      users++
      return {
        ready,
        release() {
          users--
          eraseUnused()
        },
      }
    },
    end() {
      isOver = true
      eraseUnused()
    },
  }
}

export function createSigners(): Signers {
  const entries = new Map<string, Entry>()
  /** Key of the hashes, new for each page load. */
  const key = crypto.randomUUID()
  const drop = (setId: string) => {
    entries.get(setId)?.end()
    entries.delete(setId)
  }
  return {
    async lend({ setId, share: { epoch, sealed } }, password, open) {
      const unlock = password === undefined ? undefined : toBase64Url(await sha256(utf8(key + password)))
      const known = entries.get(setId)
      const sealing = sealed.iv.join()
      if (known?.epoch === epoch && known.unlock === unlock && known.sealing === sealing) return known.lend()
      // Drop the share first, because a share that stays open would reveal the right password past the limit.
      drop(setId)
      const made = { epoch, unlock, sealing, ...readyShare(await open()) }
      drop(setId)
      entries.set(setId, made)
      return made.lend()
    },
    forget(setId) {
      for (const id of setId === undefined ? [...entries.keys()] : [setId]) drop(id)
    },
  }
}

/** Runs work when the page is idle. Safari has no `requestIdleCallback`. */
export function whenIdle(act: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(act, { timeout: 2_000 })
  else setTimeout(act)
}
