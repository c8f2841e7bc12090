/** Nodes that the user set in place of a network's own: stored on this device, read once per page. */
import type { Kernel } from '@keybay/kernel'

const KEY = 'solana:nodes'
const MAX_LENGTH = 2048

/** Accepts URLs that an https page can reach: https, or http on this machine. Undefined for any other value. */
export function readNodeUrl(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > MAX_LENGTH || !URL.canParse(text.trim())) return undefined
  const { protocol, hostname, username, password, hash, href } = new URL(text.trim())
  const isHere = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && isHere)) return undefined
  // Browsers send none of these, so they would be lost silently.
  return username || password || hash ? undefined : href
}

export interface OwnNodes {
  /** Loads the stored nodes. Later changes in other tabs have no effect here. */
  restore(): Promise<void>
  of(networkId: number): string | undefined
  /** @param url undefined: the network's own again */
  put(networkId: number, url: string | undefined): Promise<void>
  /** Emits the ID of each network whose node changed. @returns a function that unsubscribes */
  subscribe(listener: (networkId: number) => void): () => void
}

export function createOwnNodes({ storage, logger }: Pick<Kernel, 'storage' | 'logger'>): OwnNodes {
  const urls = new Map<number, string>()
  const listeners = new Set<(networkId: number) => void>()
  let restoring: Promise<void> | undefined
  const restore = async () => {
    const stored = await storage.get(KEY)
    // Ignores entries written by another version or changed by other code.
    for (const [id, text] of Object.entries(stored ?? {})) {
      const url = readNodeUrl(text)
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
      // Another tab may have stored nodes of other networks since.
      const { [networkId]: _, ...others }: Record<string, unknown> = typeof stored === 'object' ? { ...stored } : {}
      await storage.set(KEY, url === undefined ? others : { ...others, [networkId]: url })
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
