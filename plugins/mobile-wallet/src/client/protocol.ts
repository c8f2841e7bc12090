/**
 * Stands in for `@solana-mobile/mobile-wallet-adapter-protocol` where the adapter imports it (see `bundle.mjs`). The adapter does
 * not close a session after a failure, and it hides or never reports why a request failed. This module reports every failure to
 * the running trip, and closes the session when the trip ends.
 */
import * as protocol from '@solana-mobile/mobile-wallet-adapter-protocol'

export {
  SolanaMobileWalletAdapterError,
  SolanaMobileWalletAdapterErrorCode,
} from '@solana-mobile/mobile-wallet-adapter-protocol'

interface Launch {
  /** Aborted with the error when the trip fails, and without one when it is done. */
  readonly trip: AbortController
  /** Lets the next trip launch. */
  release(): void
}
let current: Launch | undefined
let launching: Promise<void> = Promise.resolve()

/** Runs `act`, whose session belongs to `trip`. Trips launch one after the other and may then overlap. */
export async function launch<T>(trip: AbortController, act: () => Promise<T>): Promise<T> {
  const previous = launching
  let release = () => {}
  launching = new Promise(resolve => {
    release = resolve
  })
  await previous
  try {
    trip.signal.throwIfAborted()
    current = { trip, release }
    return await act()
  } finally {
    release()
  }
}
/**
 * Sends one request at a time: the package encrypts concurrent requests in any order, and a wallet closes the session if they
 * arrive out of order. Ends the trip with the error of any request: the adapter waits forever after some of them.
 */
function superviseRequests(wallet: protocol.MobileWallet, trip: AbortController): protocol.MobileWallet {
  let previous: Promise<unknown> = Promise.resolve()
  const send = async (request: () => unknown) => {
    try {
      await previous
      trip.signal.throwIfAborted()
      const result = await request()
      trip.signal.throwIfAborted() // a late response must not be stored
      return result
    } catch (error) {
      trip.abort(error)
      throw error
    }
  }
  return new Proxy(wallet, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (...args: readonly unknown[]) => {
        const response = send(() => Reflect.apply(method, target, args))
        previous = response.catch(() => {})
        return response
      }
    },
  })
}

export async function startScenario(config?: protocol.WalletAssociationConfig): Promise<protocol.Scenario> {
  if (!current) throw new Error('No trip is running')
  const { trip, release } = current
  current = undefined
  release()
  trip.signal.throwIfAborted()
  const fail = (error: unknown): never => {
    trip.abort(error)
    throw error
  }
  const { wallet, close } = await protocol.startScenario(config).catch(fail)
  const closeSession = () => {
    wallet.catch(() => {}) // closing rejects a session that is not open yet
    close()
  }
  if (trip.signal.aborted) closeSession()
  else trip.signal.addEventListener('abort', closeSession)
  return {
    wallet: wallet.then(opened => superviseRequests(opened, trip), fail),
    close() {
      closeSession()
      // The adapter closes a session when it is done, and when the user dismisses its spinner. Only then is the trip still
      // running in the next task.
      setTimeout(() => trip.abort(new CancelledError()))
    },
  }
}

class CancelledError extends Error {
  readonly code = protocol.SolanaMobileWalletAdapterErrorCode.ERROR_ASSOCIATION_CANCELLED
}
/** The adapter would call the other scenarios only for associations over the network. */
function refuseNetwork(): never {
  throw new Error('Only wallet apps on this phone are supported')
}
export function startNostrScenario(): never {
  return refuseNetwork()
}
export function startRemoteScenario(): never {
  return refuseNetwork()
}
