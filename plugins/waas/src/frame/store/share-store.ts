/** The frame's share sets, by environment and user. */

import type { RelayWallet } from '../relay/answers.js'
import { type Database, openDatabase } from './database.js'
import type { KeptSet } from './kept.js'
import { newWrappingKey } from './seal.js'

export interface Attempts {
  readonly wrong: number
  /** ms since epoch: no password is tried before. */
  readonly notBefore: number
}
export interface ShareStore {
  readonly environmentId: string
  list(user: string): Promise<readonly KeptSet[]>
  /** Newest first where a wallet has several; undefined where this browser holds no share of it. */
  byAddress(user: string, address: string): Promise<KeptSet | undefined>
  get(user: string, setId: string): Promise<KeptSet | undefined>
  /** Resolves when it is on the disk. */
  put(set: KeptSet): Promise<void>
  /** All or none. */
  putAll(sets: readonly KeptSet[]): Promise<void>
  remove(user: string, setId: string): Promise<void>
  /** What the relay last said of a wallet: which one an address is. */
  known(user: string, address: string): Promise<RelayWallet | undefined>
  keepKnown(user: string, wallet: RelayWallet): Promise<void>
  /** Wrong passwords in a row, of one set. */
  attempts(user: string, setId: string): Promise<Attempts | undefined>
  keepAttempts(user: string, setId: string, attempts: Attempts | undefined): Promise<void>
  /** This browser's key of the user; made at first. */
  wrappingKey(user: string): Promise<CryptoKey>
  /**
   * Before a wallet is made: writes, reads back and removes.
   *
   * @throws KeybayError `frame_storage_unavailable`
   */
  assertDurable(): Promise<void>
  close(): void
}

const everything = (user: string): IDBKeyRange => IDBKeyRange.bound([user], [user, []])

/**
 * @throws nothing yet: storage is opened at the first use
 * @example const store = openShareStore('local')
 */
export const openShareStore = (environmentId: string, database: Database = openDatabase(environmentId)): ShareStore => {
  const list = (user: string): Promise<readonly KeptSet[]> =>
    database.run('readonly', ({ sets }) => sets.getAll(everything(user)))
  const keys = new Map<string, Promise<CryptoKey>>()

  const findKey = async (user: string): Promise<CryptoKey> => {
    const known: CryptoKey | undefined = await database.run('readonly', ({ keys }) => keys.get(user))
    if (known) return known
    const made = await newWrappingKey()
    // Two tabs may be here at once: the first one's stays.
    const added = await database.run('readwrite', ({ keys }) => keys.add(made, user)).catch(() => undefined)
    if (added !== undefined) return made
    const theirs: CryptoKey | undefined = await database.run('readonly', ({ keys }) => keys.get(user))
    return theirs ?? findKey(user)
  }

  return {
    environmentId,
    list,
    get: (user, setId) => database.run('readonly', ({ sets }) => sets.get([user, setId])),
    async byAddress(user, address) {
      const found = (await list(user)).filter(set => set.address === address)
      return found.toSorted((a, b) => b.createdAt - a.createdAt)[0]
    },
    async put(set) {
      await database.run('readwrite', ({ sets }) => sets.put(set, [set.user, set.setId]))
    },
    async putAll(all) {
      const [first, ...others] = all
      if (!first) return
      await database.run('readwrite', ({ sets }) => {
        const put = (set: KeptSet) => sets.put(set, [set.user, set.setId])
        return others.reduce((_, set) => put(set), put(first))
      })
    },
    attempts: (user, setId) => database.run('readonly', ({ attempts }) => attempts.get([user, setId])),
    async keepAttempts(user, setId, kept) {
      if (kept) await database.run('readwrite', ({ attempts }) => attempts.put(kept, [user, setId]))
      else await database.run('readwrite', ({ attempts }) => attempts.delete([user, setId]))
    },
    async remove(user, setId) {
      await database.run('readwrite', ({ sets }) => sets.delete([user, setId]))
    },
    known: (user, address) => database.run('readonly', ({ wallets }) => wallets.get([user, address])),
    async keepKnown(user, wallet) {
      await database.run('readwrite', ({ wallets }) => wallets.put(wallet, [user, wallet.address]))
    },
    wrappingKey(user) {
      const found = keys.get(user) ?? findKey(user)
      keys.set(user, found)
      found.catch(() => keys.delete(user))
      return found
    },
    async assertDurable() {
      const probe = ['', crypto.randomUUID()]
      await database.run('readwrite', ({ sets }) => sets.put(true, probe))
      await database.run('readwrite', ({ sets }) => sets.delete(probe))
    },
    close: () => database.close(),
  }
}
