/// <reference types="chrome" />
/** Extension's storage, shared by its worker and its windows. */
import { createStateStore, type StateStore } from './core/state.js'
import { PENDING, type Pending, STATE } from './messages.js'

export function stateStore(): StateStore {
  return createStateStore({
    get: async () => (await chrome.storage.local.get(STATE))[STATE],
    set: state => chrome.storage.local.set({ [STATE]: state }),
  })
}

function isPending(value: unknown): value is readonly Pending[] {
  return Array.isArray(value)
}
/** Stores pending calls in the browser's memory: they outlive the worker, but not the browser. */
export function pendingStore() {
  let queue: Promise<void> = Promise.resolve()
  const read = async () => {
    const stored = (await chrome.storage.session.get(PENDING))[PENDING]
    return isPending(stored) ? stored : []
  }
  return {
    read,
    update(change: (all: readonly Pending[]) => readonly Pending[]): Promise<void> {
      queue = queue.then(async () => chrome.storage.session.set({ [PENDING]: change(await read()) }))
      return queue
    },
  }
}
