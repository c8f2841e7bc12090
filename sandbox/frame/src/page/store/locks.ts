/**
 * Tabs and frames of one user do not step on each other: a wallet's share is changed by one at a time, and read by many.
 * A browser that takes the page away gives the lock back.
 */
export interface Locks {
  /** Runs `act` while no operation changes the wallet. */
  reading<T>(name: string, act: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Waits for everybody else. */
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
