/** The nodes that the user has put in the place of a network's own: kept on this device, read once for each page. */
import type { Kernel } from '@keybay/kernel'
import { at } from './rpc/read.js'

/** In the instance's storage: network id → URL. */
const KEY = 'solana:nodes'
const MOST_LENGTH = 2048

/** What a browser lets a page of https reach: https, or http on this machine. Undefined: not an address of a node. */
export function readNodeUrl(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > MOST_LENGTH || !URL.canParse(text.trim())) return undefined
  const { protocol, hostname, username, password, hash, href } = new URL(text.trim())
  const isHere = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && isHere)) return undefined
  // A browser sends neither: they would be lost without a word.
  return username || password || hash ? undefined : href
}

export interface OwnNodes {
  /** What was stored is there from then on. What another tab takes later changes nothing here. */
  restore(): Promise<void>
  of(networkId: number): string | undefined
  /** @param url undefined: the network's own again */
  put(networkId: number, url: string | undefined): Promise<void>
  /** Hears the id of the network that is reached through another node now. @returns stop */
  subscribe(listener: (networkId: number) => void): () => void
}

export function createOwnNodes({ storage, logger }: Pick<Kernel, 'storage' | 'logger'>): OwnNodes {
  const urls = new Map<number, string>()
  const listeners = new Set<(networkId: number) => void>()
  let restoring: Promise<void> | undefined
  const restore = async () => {
    const stored = await storage.get(KEY)
    // What another version wrote, or what someone else changed, counts as nothing.
    for (const id of Object.keys(Object(stored))) {
      const url = readNodeUrl(at(stored, id))
      if (url !== undefined) urls.set(Number(id), url)
    }
  }
  return {
    restore() {
      restoring ??= restore()
      return restoring
    },
    of: networkId => urls.get(networkId),
    async put(networkId, url) {
      if (url === undefined) urls.delete(networkId)
      else urls.set(networkId, url)
      for (const listener of [...listeners])
        try {
          listener(networkId)
        } catch (error) {
          logger.error(KEY, error)
        }
      const stored = await storage.get(KEY)
      // Of the other networks another tab may have kept something meanwhile.
      const { [networkId]: _, ...others }: Record<string, unknown> = { ...Object(stored) }
      await storage.set(KEY, url === undefined ? others : { ...others, [networkId]: url })
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
