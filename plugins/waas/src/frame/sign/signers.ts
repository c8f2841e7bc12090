/**
 * Shares in memory, ready to sign. Unsealing takes a millisecond, and a password much longer, so what was opened for one
 * operation serves the next; a wallet with a password needs it for each of them all the same.
 */
import { createFrameSigner, eraseShare, type FrameAttempt, type FrameSigner, type KeyShare } from '../../mpc/index.js'
import type { KeptSet } from '../store/kept.js'

export interface ReadyShare {
  readonly share: KeyShare
  /** Fresh commitments for one HTTP attempt: those made while idle, or new ones. */
  begin(): FrameAttempt
  /** Makes the commitments of the next signature, while nothing else is to do. */
  prepare(): void
  /** Steps of a few ms each that the first signature would take besides. */
  readonly warmUp: readonly (() => void)[]
}
export interface Signers {
  /**
   * @param password that it is opened with; another one than before opens it anew
   * @param open unseals the share
   */
  ready(set: KeptSet, password: string | undefined, open: () => Promise<KeyShare>): Promise<ReadyShare>
  /** Of all wallets, or of one set: erased. */
  forget(setId?: string): void
}

interface Entry {
  readonly epoch: number
  readonly password: string | undefined
  /** Which sealing it was opened from: another frame may have changed the password since. */
  readonly sealing: string
  readonly ready: ReadyShare
  erase(): void
}

const readyShare = (share: KeyShare): Pick<Entry, 'ready' | 'erase'> => {
  // All the relays of the set sign with the device: that is the threshold of every scheme.
  const peers = share.set.parties.filter(party => party === 'R1' || party === 'R2')
  let known: FrameSigner | undefined
  let prepared: FrameAttempt | undefined
  const signer = () => {
    known ??= createFrameSigner(share, peers)
    return known
  }
  return {
    ready: {
      share,
      begin() {
        const attempt = prepared ?? signer().begin()
        prepared = undefined
        return attempt
      },
      prepare() {
        prepared ??= signer().begin()
      },
      get warmUp() {
        return signer().warmUp
      },
    },
    erase() {
      prepared?.erase()
      eraseShare(share)
    },
  }
}

export const createSigners = (): Signers => {
  const entries = new Map<string, Entry>()
  const drop = (setId: string) => {
    entries.get(setId)?.erase()
    entries.delete(setId)
  }
  return {
    async ready({ setId, share: { epoch, sealed } }, password, open) {
      const known = entries.get(setId)
      const sealing = sealed.iv.join()
      if (known?.epoch === epoch && known.password === password && known.sealing === sealing) return known.ready
      const made = { epoch, password, sealing, ...readyShare(await open()) }
      drop(setId)
      entries.set(setId, made)
      return made.ready
    },
    forget(setId) {
      for (const one of setId === undefined ? [...entries.keys()] : [setId]) drop(one)
    },
  }
}
