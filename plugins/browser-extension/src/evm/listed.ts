/** Lists extensions that announced themselves for EVM. Loads with the first announcement. */
import type { Kernel } from '@keybay/kernel'
import { type Announced, readAnnounced } from './announced.js'
import { createEvmWallet } from './wallet.js'

interface Listing {
  readonly announced: Announced
  /** Number of a wallet whose rdns another one claims, too. */
  mark?: number
  remove?: (() => void) | undefined
}
const listings = new WeakMap<Kernel, readonly Listing[]>()

/** @param detail of the announcement; ignored if it is not a wallet, or throws when it is read */
export function listEvm(kernel: Kernel, detail: unknown): void {
  try {
    const announced = readAnnounced(detail)
    const all = listings.get(kernel) ?? []
    if (!announced || all.some(listing => isSame(listing.announced, announced))) return
    listings.set(kernel, [...all, { announced }])
    listTwins(kernel, announced.rdns)
  } catch (error) {
    kernel.logger.debug('browser-extension', error)
  }
}

/** Returns true for a repeated announcement: a wallet repeats its own at each request. */
function isSame(one: Announced, other: Announced): boolean {
  return one.provider === other.provider || (one.rdns === other.rdns && one.uuid === other.uuid)
}

/**
 * Lists the wallets of one rdns. Two are both marked, because nothing tells which is genuine. Their ids differ on each
 * page, so that neither is connected silently in place of the other.
 */
function listTwins(kernel: Kernel, rdns: string): void {
  const twins = (listings.get(kernel) ?? []).filter(({ announced }) => announced.rdns === rdns)
  for (const twin of twins) {
    if (twins.length > 1 && !twin.mark) {
      twin.mark = Math.max(...twins.map(({ mark = 0 }) => mark)) + 1
      twin.remove?.()
      twin.remove = undefined
    }
    twin.remove ??= list(kernel, twin)
  }
}

/** Lists a wallet; one that is also listed for Solana, under the same name, is labelled. Returns remove. */
function list(kernel: Kernel, { announced, mark }: Listing): () => void {
  const { connectors } = kernel
  const { rdns, icon, provider } = announced
  const id = `browser-extension:${rdns}${mark ? `~${crypto.randomUUID()}` : ''}`
  const name = mark ? `${announced.name} (${mark})` : announced.name
  const wallet = createEvmWallet(kernel, { id, name, icon }, provider)
  const remove = connectors.add({
    kind: 'wallet',
    id,
    name,
    icon,
    readiness: 'ready',
    connectionType: 'browserExtension',
    wallet,
  })
  const updateName = () => {
    const hasTwin = connectors.list().some(connector => connector.id !== id && connector.name === name)
    const label = hasTwin ? `${name} (EVM)` : name
    if (connectors.get(id)?.name !== label) connectors.update(id, { name: label })
  }
  updateName()
  const off = connectors.subscribe(updateName)
  kernel.onDispose(off)
  return () => {
    off()
    remove()
  }
}
