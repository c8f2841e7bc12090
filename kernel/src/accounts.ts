/** The accounts of all connections in one list, and the active one per chain namespace. */
import type { WalletAccount } from '@wallet-standard/base'
import type { Base } from './kernel.js'
import type { Connection, Connections } from './snapshots.js'
import { hasShape, quietly } from './spec/shape.js'
import { soundAccounts } from './wallet-accounts.js'

export interface Account {
  /** `connectorId|address` */
  readonly key: string
  readonly connectorId: string
  readonly address: string
  /** The union of the wallet's entries for this address. */
  readonly chains: readonly string[]
  readonly label: string | undefined
  /** The wallet's own object, to hand back to its features: many wallets compare it by identity. */
  readonly walletAccount: WalletAccount
}
export interface Accounts {
  list(): readonly Account[]
  /** Returns the active account of a chain namespace (`solana` by default): the chosen one, or the first. */
  active(namespace?: string): Account | undefined
  /** @returns false for an unknown account */
  setActive(key: string): boolean
  subscribe(listener: () => void): () => void
}

function getNamespace(chain: string) {
  return chain.split(':', 1)[0]
}

function readAccounts({ connectorId, accounts }: Connection): Account[] {
  const byAddress = new Map<string, Account>()
  for (const walletAccount of soundAccounts(accounts)) {
    const { address, label, chains } = walletAccount
    const first = byAddress.get(address)
    byAddress.set(address, {
      key: `${connectorId}|${address}`,
      connectorId,
      address,
      label,
      walletAccount,
      ...first,
      chains: [...new Set(first?.chains.concat(chains) ?? chains)],
    })
  }
  return [...byAddress.values()]
}

function describe({ key, label, chains }: Account) {
  return [key, label, chains].join()
}
const KEY = 'accounts'

export function createAccounts({
  connections,
  storage,
  makeStore,
}: Base & { readonly connections: Connections }): Accounts & { start(): undefined } {
  /** The chosen account's key per namespace. */
  const chosen = makeStore<Readonly<Record<string, string>>>({})
  let source: readonly Connection[] = []
  let list: readonly Account[] = []
  const read = () => {
    const current = connections.list()
    if (current === source) return list
    source = current
    // An account that did not change keeps its reference, so that nothing renders for it.
    const isSame = (a: Account, b: Account) => a.walletAccount === b.walletAccount && describe(a) === describe(b)
    // A getter may throw, or return something else, although it was sound at the connect.
    const readSound = (connection: Connection) => quietly(() => readAccounts(connection)) ?? []
    list = current.flatMap(readSound).map(next => list.find(last => isSame(last, next)) ?? next)
    return list
  }
  return {
    list: read,
    active(namespace = 'solana') {
      const key = chosen.get()[namespace]
      const all = read().filter(({ chains }) => chains.some(chain => getNamespace(chain) === namespace))
      // If the wallet switched accounts, stay with that wallet.
      return (
        all.find(account => account.key === key) ??
        all.find(account => key?.startsWith(`${account.connectorId}|`)) ??
        all[0]
      )
    },
    setActive(key) {
      const account = read().find(known => known.key === key)
      if (!account) return false
      const next = { ...chosen.get(), ...Object.fromEntries(account.chains.map(chain => [getNamespace(chain), key])) }
      chosen.set(next)
      void storage.set(KEY, next)
      return true
    },
    subscribe(listener) {
      const offConnections = connections.subscribe(listener)
      const offChosen = chosen.subscribe(listener)
      return () => {
        offConnections()
        offChosen()
      }
    },
    start(): undefined {
      void storage.get(KEY).then(saved => {
        if (hasShape<Readonly<Record<string, string>>>(saved, {})) chosen.set({ ...saved, ...chosen.get() })
      })
    },
  }
}
