/**
 * Stores the frame's share sets, by environment and user. The rules for erasing them are in
 * `@keybay/waas/mpc/lifecycle`, and no other code erases a share.
 */
import { KeybayError, toBase64Url } from '@keybay/kernel/spec'
import { onConfirm, onSweep, onWrite } from '@keybay/waas/mpc/lifecycle'
import type { Policy } from '@keybay/waas/protocol'
import { newDeviceKey, type RecordClaims, type RelayWallet } from '@keybay/waas/relay-client'
import { frameError, relayAnswerWrong } from '../errors/errors.js'
import { type Database, openDatabase, type Stores } from './database.js'
import type { ErasureConsent } from './erasure.js'
import type { KeptAccount, KeptSet } from './kept.js'
import { addPhrase, openPhrases } from './phrases.js'
import { newWrappingKey } from './seal.js'

export interface Attempts {
  readonly wrong: number
  /** Earliest time of the next attempt, in ms since epoch. */
  readonly notBefore: number
}
/** A policy that the user agreed to in this browser, and what this browser has signed under it unasked. */
export interface Agreement {
  readonly policy: Policy
  /** Hour since epoch → lamports. Of a token: the hour, a space and the mint → its smallest unit. */
  readonly spent: Readonly<Record<string, bigint>>
}
type ChangeAgreement = (now: Agreement | undefined) => Agreement | null | undefined
export type ShareStore = ReturnType<typeof openShareStore>

function everything(user: string): IDBKeyRange {
  return IDBKeyRange.bound([user], [user, []])
}

function getKey({ user, setId }: Pick<KeptSet, 'user' | 'setId'>): IDBValidKey {
  return [user, setId]
}

/** Reads and writes in one transaction, so that no other tab writes in between. */
function putKeeping(stores: Stores, set: KeptSet): IDBRequest<KeptSet | undefined> {
  const { sets } = stores
  addPhrase(stores, set.user)
  const reading: IDBRequest<KeptSet | undefined> = sets.get(getKey(set))
  reading.onsuccess = () => {
    sets.put(onWrite(reading.result, set), getKey(set))
  }
  return reading
}

function assertNamed({ setId, walletId, share }: KeptSet, claims: RecordClaims): void {
  const isNamed = claims.set === setId && claims.wallet === walletId && claims.status === 'active'
  if (isNamed && claims.pub === toBase64Url(share.set)) return
  throw new KeybayError(relayAnswerWrong, { detail: 'the record' })
}

function eraseAgreed({ sets }: Stores, consent: ErasureConsent): IDBRequest<KeptSet | undefined> {
  const reading: IDBRequest<KeptSet | undefined> = sets.get(getKey(consent))
  reading.onsuccess = () => {
    if (reading.result && consent.covers(reading.result)) sets.delete(getKey(consent))
  }
  return reading
}

function sweepSets({ sets }: Stores, user: string, now: number): IDBRequest<KeptSet[]> {
  const reading: IDBRequest<KeptSet[]> = sets.getAll(everything(user))
  reading.onsuccess = () => {
    for (const set of reading.result) {
      const counted = onSweep(set, now)
      if (!counted) sets.delete(getKey(set))
      else if (counted !== set) sets.put(counted, getKey(set))
    }
  }
  return reading
}

/** Returns a function that finds a user's key, or creates it at first use. */
function keyPerUser<K>(database: Database, name: 'keys' | 'apiKeys', create: () => Promise<K>) {
  const keys = new Map<string, Promise<K>>()
  const find = async (user: string): Promise<K> => {
    const known: K | undefined = await database.run('readonly', stores => stores[name].get(user))
    if (known) return known
    const made = await create()
    // Two tabs may add a key at once. The first one stays.
    const added = await database.run('readwrite', stores => stores[name].add(made, user)).catch(() => undefined)
    return added === undefined ? find(user) : made
  }
  return (user: string): Promise<K> => {
    const key = keys.get(user) ?? find(user)
    keys.set(user, key)
    key.catch(() => keys.delete(user))
    return key
  }
}

/** Reads and changes the policies that the user agreed to in this browser. */
function agreementsIn(database: Database) {
  return {
    agreement: (user: string, setId: string): Promise<Agreement | undefined> =>
      database.run('readonly', ({ agreements }) => agreements.get([user, setId])),
    /**
     * Changes an agreement in one transaction.
     * @param change returns the new agreement, null to erase it, or undefined to keep it
     */
    async changeAgreement(user: string, setId: string, change: ChangeAgreement): Promise<void> {
      await database.run('readwrite', ({ agreements }) => {
        const reading: IDBRequest<Agreement | undefined> = agreements.get([user, setId])
        reading.onsuccess = () => {
          const next = change(reading.result)
          if (next) agreements.put(next, [user, setId])
          else if (next === null) agreements.delete([user, setId])
        }
        return reading
      })
    },
  }
}

/** Account that sends: the user, its address and the network. */
export type Sender = readonly [user: string, account: string, network: string]
/** Maximum number of recipients of an account that are kept. The oldest ones are new again. */
const MAX_RECIPIENTS = 500

function dropOldest(recipients: IDBObjectStore, all: IDBKeyRange): void {
  const times: IDBRequest<number[]> = recipients.getAll(all)
  const keys = recipients.getAllKeys(all)
  keys.onsuccess = () => {
    const byAge = keys.result.map((key, index) => ({ key, at: times.result[index] ?? 0 })).sort((a, b) => a.at - b.at)
    for (const { key } of byAge.slice(0, Math.max(0, byAge.length - MAX_RECIPIENTS))) recipients.delete(key)
  }
}

/** Reads and keeps the addresses that this browser has signed transfers to. */
export function recipientsIn(database: Database) {
  const isRecipient = async (sender: Sender, address: string): Promise<boolean> =>
    (await database.run('readonly', ({ recipients }) => recipients.count([...sender, address]))) > 0
  return {
    isRecipient,
    async keepRecipients(sender: Sender, addresses: readonly string[], now: number): Promise<void> {
      // Reading is cheap. A write holds up the next signature.
      const isKnown = await Promise.all(addresses.map(address => isRecipient(sender, address)))
      const added = addresses.filter((_, index) => !isKnown[index])
      if (added.length === 0) return
      await database.run('readwrite', ({ recipients }) => {
        for (const address of added) recipients.put(now, [...sender, address])
        const all = IDBKeyRange.bound([...sender], [...sender, []])
        const counting = recipients.count(all)
        counting.onsuccess = () => {
          if (counting.result > MAX_RECIPIENTS) dropOldest(recipients, all)
        }
        return counting
      })
    },
  }
}

/**
 * Opens the share store. Throws nothing itself, because storage is opened at first use.
 *
 * @example const store = openShareStore('local')
 */
export function openShareStore(environmentId: string, database: Database = openDatabase(environmentId)) {
  const list = (user: string): Promise<readonly KeptSet[]> =>
    database.run('readonly', ({ sets }) => sets.getAll(everything(user)))
  const putAll = async (all: readonly KeptSet[]): Promise<void> => {
    const [first, ...others] = all
    if (!first) return
    await database.run('readwrite', stores =>
      others.reduce((_, set) => putKeeping(stores, set), putKeeping(stores, first)),
    )
  }

  return {
    environmentId,
    /** Opens the storage before its first use. @throws KeybayError `frame_storage_unavailable` */
    open: () => database.run('readonly', ({ keys }) => keys.count()),
    list,
    get: (user: string, setId: string): Promise<KeptSet | undefined> =>
      database.run('readonly', ({ sets }) => sets.get([user, setId])),
    /** Returns the newest set of a wallet. Undefined if this browser holds no share of the wallet that signs. */
    async byAddress(user: string, address: string): Promise<KeptSet | undefined> {
      const sets = (await list(user)).filter(set => set.address === address && !set.retired)
      return sets.toSorted((a, b) => b.createdAt - a.createdAt)[0]
    },
    /** Stores a set. Resolves once it is on disk. A stored share that is not in `set` is kept aside. */
    put: (set: KeptSet) => putAll([set]),
    /** Stores all sets or none, as `put`. */
    putAll,
    /**
     * Stores a set whose share R1's record names, and erases the older shares of that set.
     * @param claims claims of the verified record
     * @throws KeybayError `frame_relay_answer_wrong` if the record names another public package
     */
    async confirm(set: KeptSet, claims: RecordClaims): Promise<void> {
      assertNamed(set, claims)
      await database.run('readwrite', ({ sets }) => sets.put(onConfirm(set), getKey(set)))
    },
    /**
     * Erases a set and its shares with the user's consent.
     * @throws KeybayError `frame_share_changed` if the set changed since the user was asked
     */
    async erase(consent: ErasureConsent): Promise<void> {
      const stored = await database.run('readwrite', stores => eraseAgreed(stores, consent))
      if (stored && !consent.covers(stored)) throw frameError('frame_share_changed')
    },
    /** Counts the time since additional sets were retired, and erases the shares of the expired ones. */
    async sweep(user: string, now: number): Promise<void> {
      if ((await list(user)).every(({ retired, kind }) => !retired || kind === 'primary')) return
      await database.run('readwrite', stores => sweepSets(stores, user, now))
    },
    /** Returns the consecutive wrong passwords of one set. */
    attempts: (user: string, setId: string): Promise<Attempts | undefined> =>
      database.run('readonly', ({ attempts }) => attempts.get([user, setId])),
    async keepAttempts(user: string, setId: string, newAttempts: Attempts | undefined): Promise<void> {
      if (newAttempts) await database.run('readwrite', ({ attempts }) => attempts.put(newAttempts, [user, setId]))
      else await database.run('readwrite', ({ attempts }) => attempts.delete([user, setId]))
    },
    /** Returns the account that gets the wallet's backups, as this browser knows it. */
    backupAccount: (user: string, walletId: string): Promise<KeptAccount | undefined> =>
      database.run('readonly', ({ accounts }) => accounts.get([user, walletId])),
    async keepBackupAccount(user: string, walletId: string, account: KeptAccount): Promise<void> {
      await database.run('readwrite', ({ accounts }) => accounts.put(account, [user, walletId]))
    },
    ...agreementsIn(database),
    ...recipientsIn(database),
    ...openPhrases(database),
    /** Returns a wallet from the relay's last list, by address. */
    known: (user: string, address: string): Promise<RelayWallet | undefined> =>
      database.run('readonly', ({ wallets }) => wallets.get([user, address])),
    async keepKnown(user: string, wallet: RelayWallet): Promise<void> {
      await database.run('readwrite', ({ wallets }) => wallets.put(wallet, [user, wallet.address]))
    },
    /** Returns this browser's wrapping key of the user. Creates it at first use. */
    wrappingKey: keyPerUser(database, 'keys', newWrappingKey),
    /** Returns the key that signs this browser's requests to the product API for the user. Creates it at first use. */
    apiKey: keyPerUser(database, 'apiKeys', newDeviceKey),
    /**
     * Checks that storage works before a wallet is created: writes and removes a test entry.
     * @throws KeybayError `frame_storage_unavailable`
     */
    async assertDurable(): Promise<void> {
      const probe = ['', crypto.randomUUID()]
      await database.run('readwrite', ({ sets }) => sets.put(true, probe))
      await database.run('readwrite', ({ sets }) => sets.delete(probe))
    },
    close: () => database.close(),
  }
}
