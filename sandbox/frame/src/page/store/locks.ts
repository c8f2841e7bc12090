/**
 * Locks for tabs and frames of one user: many operations may read a wallet's share, but only one at a time may change
 * it. The browser releases the lock of a page that it discards.
 */
export interface Locks {
  /** Runs `act` while no operation changes the wallet. */
  reading<T>(name: string, act: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Runs `act` while no other operation reads or changes the wallet. */
  changing<T>(name: string, act: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

export function webLocks(environmentId: string): Locks {
  const hold = <T>(mode: LockMode, name: string, act: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
    navigator.locks.request(`keybay-waas:${environmentId}:${name}`, { mode, ...(signal && { signal }) }, act)
  return {
    reading: (name, act, signal) => hold('shared', name, act, signal),
    changing: (name, act, signal) => hold('exclusive', name, act, signal),
  }
}
