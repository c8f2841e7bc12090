/** What is installed, in the order it came. */
import { announceWallet } from './announce.js'
import type { Connector } from './connector.js'
import type { MakeStore } from './events.js'
import { quietly } from './shape.js'

export type ConnectorPatch = Partial<Pick<Connector, 'readiness' | 'icon' | 'name'>>

export interface ConnectorRegistry {
  list(): readonly Connector[]
  get(id: string): Connector | undefined
  subscribe(listener: () => void): () => void
  serverList(): readonly Connector[]
  preload(id: string): void
  announce(id: string): boolean
  add(connector: Connector): () => void
  update(id: string, patch: ConnectorPatch): void
  declare(connectors: readonly Connector[]): void
  clear(): void
}

export function createRegistry(makeStore: MakeStore): ConnectorRegistry {
  const byId = new Map<string, Connector>()
  /** The wallet objects, so that none is listed under two ids. */
  const owners = new WeakSet<object>()
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
    const own = connector.kind === 'wallet' ? connector.wallet : connector
    if (byId.has(id) || owners.has(own)) return () => {}
    byId.set(id, connector)
    owners.add(own)
    touch()
    let there = true
    return () => {
      if (!there || !byId.delete(id)) return
      there = false
      owners.delete(own)
      touch()
    }
  }
  return {
    list() {
      list ??= [...byId.values()]
      return list
    },
    get: id => byId.get(id),
    subscribe: revision.subscribe,
    serverList: () => declared,
    preload(id) {
      // The call that needs the code will say why it is not there.
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
      declared = [...declared, ...connectors]
      for (const connector of connectors) add(connector)
    },
    clear() {
      byId.clear()
      touch()
    },
  }
}
