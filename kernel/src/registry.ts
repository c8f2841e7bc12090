/** The installed connectors, in the order in which they came. */
import { announceWallet } from './announce.js'
import type { Connector } from './connector.js'
import type { MakeStore } from './events.js'
import { quietly } from './spec/shape.js'

export type ConnectorPatch = Partial<Pick<Connector, 'readiness' | 'icon' | 'name'>>

export interface ConnectorRegistry {
  list(): readonly Connector[]
  get(id: string): Connector | undefined
  subscribe(listener: () => void): () => void
  /** Returns what a server renders: the connectors that plugins declare statically. */
  serverList(): readonly Connector[]
  /** Fetches the connector's heavy code (hover). Ignores unknown ids and failures. */
  preload(id: string): void
  /** Shows the wallet to apps built with other libraries, by Wallet Standard registration. Returns whether it could. */
  announce(id: string): boolean
  /** For connectors known only at run time. Adding an id or a wallet object twice makes one entry. Returns remove. */
  add(connector: Connector): () => void
  /** Replaces name, icon or readiness. Makes a new object, so that snapshots change. */
  update(id: string, patch: ConnectorPatch): void
  declare(connectors: readonly Connector[]): void
  clear(): void
}

export function createRegistry(makeStore: MakeStore): ConnectorRegistry {
  const byId = new Map<string, Connector>()
  /** The listed wallet objects, so that none is listed under two ids. */
  const listed = new WeakSet<object>()
  // The list is rebuilt once it is read, however many wallets came in one batch.
  const revision = makeStore(0)
  let list: readonly Connector[] | undefined
  let declared: readonly Connector[] = []
  const touch = () => {
    list = undefined
    revision.set(revision.get() + 1)
  }
  const add = (connector: Connector) => {
    const { id } = connector
    const identity = connector.kind === 'wallet' ? connector.wallet : connector
    if (byId.has(id) || listed.has(identity)) return () => {}
    byId.set(id, connector)
    listed.add(identity)
    touch()
    let isListed = true
    return () => {
      if (isListed && byId.delete(id)) {
        listed.delete(identity)
        touch()
      }
      isListed = false
    }
  }
  return {
    list: () => (list ??= [...byId.values()]),
    get: id => byId.get(id),
    subscribe: revision.subscribe,
    serverList: () => declared,
    preload(id) {
      // The call that needs the code reports the failure.
      quietly(() => byId.get(id)?.preload?.())?.catch(() => {})
    },
    announce(id) {
      const connector = byId.get(id)
      if (connector?.kind !== 'wallet' || typeof window === 'undefined') return false
      announceWallet(connector.wallet)
      return true
    },
    add,
    update(id, patch) {
      const old = byId.get(id)
      if (!old) return
      // A new object with the old one behind it: snapshots change, getters and methods stay live.
      byId.set(id, Object.setPrototypeOf({ ...patch }, old))
      touch()
    },
    declare(connectors) {
      declared = declared.concat(connectors)
      connectors.forEach(add)
    },
    clear() {
      byId.clear()
      touch()
    },
  }
}
