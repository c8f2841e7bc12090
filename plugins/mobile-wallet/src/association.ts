/** One trip to the wallet's app and back: the phone brings it up, and it answers on a websocket of the phone itself. */
import type { Clock } from '@keybay/kernel'
import { type MobileWallet, startScenario } from '@solana-mobile/mobile-wallet-adapter-protocol'

export interface Trip {
  /** Where this very wallet is called; empty: the phone asks which one. */
  readonly uriBase: string
  readonly signal: AbortSignal | undefined
  readonly clock: Clock
  /** ms */
  readonly timeout: number
  /** What nobody waits for any longer is rejected with. */
  late(): Error
}

/** The library tells nobody when a wallet goes away in the middle: so each trip has an end of its own. */
export async function withWallet<T>(
  { uriBase, signal, clock, timeout, late }: Trip,
  act: (wallet: MobileWallet) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  let end = () => {}
  const over = new Promise<never>((_, reject) => {
    const abort = () => reject(signal?.reason)
    const cancel = clock.after(timeout, () => reject(late()))
    signal?.addEventListener('abort', abort)
    end = () => {
      cancel()
      signal?.removeEventListener('abort', abort)
    }
  })
  const starting = startScenario(uriBase ? { baseUri: uriBase } : undefined)
  try {
    const { wallet } = await Promise.race([starting, over])
    return await Promise.race([wallet.then(act), over])
  } finally {
    end()
    starting.then(
      ({ wallet, close }) => {
        wallet.catch(() => {}) // closed by us, nobody hears of it
        close()
      },
      () => {}, // it never began
    )
  }
}

/** What Chrome asks the user before a page may talk to apps on the phone. Browsers that do not ask know no such name. */
export async function loopbackState(): Promise<PermissionState> {
  try {
    const name = 'loopback-network' as PermissionName
    return (await navigator.permissions.query({ name })).state
  } catch {
    return 'granted'
  }
}
/** Brings the question up, while the page is still in front; the port is nobody's. */
export function askForLoopback(): Promise<void> {
  return new Promise(resolve => {
    const socket = new WebSocket('ws://localhost:65535')
    socket.onopen = () => socket.close()
    socket.onerror = () => resolve()
    socket.onclose = () => resolve()
  })
}
