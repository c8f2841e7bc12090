/** The typed event bus, and the store behind every snapshot. Both run on eventemitter3. */
import { EventEmitter } from 'eventemitter3'
import type { LogEntry } from './logger.js'
import type { Prompt } from './prompt.js'
import type { Connection, SessionState } from './snapshots.js'
import type { KeybayError } from './spec/errors.js'
import { quietly } from './spec/shape.js'

/** Maps an event to its payload. Plugins add theirs by declaration merging. */
export interface KeybayEvents {
  'connection:opening': { readonly connectorId: string }
  /** `resumed` is true when it opened without the user: after a reload, a redirect, or in another tab. */
  'connection:opened': { readonly connection: Connection; readonly resumed: boolean }
  'connection:changed': { readonly connection: Connection }
  /** `by` names what ended it. */
  'connection:closed': { readonly connectorId: string; readonly by: 'host' | 'wallet' | 'tab' }
  'connection:failed': { readonly connectorId: string; readonly error: KeybayError }
  'redirect:started': { readonly connectorId: string; readonly method: string }
  /** A wallet method that left the page has returned. */
  'operation:resumed': { readonly connectorId: string; readonly method: string; readonly result: unknown }
  'operation:failed': { readonly connectorId: string; readonly method: string; readonly error: KeybayError }
  'prompt:opened': { readonly prompt: Prompt }
  'prompt:closed': { readonly promptId: string }
  'session:changed': { readonly session: SessionState }
  /** Each entry at the log level or above, redacted. */
  log: LogEntry
}

export interface Bus {
  on<const K extends keyof KeybayEvents>(event: K, listener: (payload: KeybayEvents[K]) => void): () => void
  /** Calls the listener for every event: for timelines and devtools. */
  onAny(listener: (event: keyof KeybayEvents, payload: unknown) => void): () => void
  emit<const K extends keyof KeybayEvents>(event: K, payload: KeybayEvents[K]): void
}

interface Listeners<A extends readonly unknown[]> {
  add(listener: (...args: A) => void): () => void
  emit(...args: A): void
  clear(): void
}

/** The part of eventemitter3 that `createListeners` uses, with typed arguments. */
interface Emitter<A extends readonly unknown[]> {
  on(event: 'call', listener: (...args: A) => void): unknown
  off(event: 'call', listener: (...args: A) => void): unknown
  emit(event: 'call', ...args: A): unknown
  removeAllListeners(): unknown
}

/** Creates an ordered set of listeners on one channel. A listener that throws does not stop the others. */
export function createListeners<A extends readonly unknown[]>(onThrow: (error: unknown) => void): Listeners<A> {
  const emitter: Emitter<A> = new EventEmitter()
  return {
    add(listener) {
      // A function of its own, so that a listener added twice is called twice and removed once.
      const guarded = (...args: A) => quietly(() => listener(...args), onThrow)
      emitter.on('call', guarded)
      return () => {
        emitter.off('call', guarded)
      }
    },
    emit: (...args) => {
      emitter.emit('call', ...args)
    },
    clear: () => {
      emitter.removeAllListeners()
    },
  }
}

// Name and payload belong together, so checking the name narrows the payload.
function isEvent<K extends keyof KeybayEvents>(
  event: K,
  name: keyof KeybayEvents,
  _payload: unknown,
): _payload is KeybayEvents[K] {
  return name === event
}

/**
 * Creates the bus. `on` and `onAny` share one channel, so that listeners run in the order in which they subscribed.
 *
 * @param onThrow receives what a listener throws
 */
export function createBus(onThrow: (error: unknown) => void): Bus & { clear(): void } {
  const listeners = createListeners<[event: keyof KeybayEvents, payload: unknown]>(onThrow)
  return {
    on: (event, listener) =>
      listeners.add((name, payload) => {
        if (isEvent(event, name, payload)) listener(payload)
      }),
    onAny: listeners.add,
    emit: listeners.emit,
    clear: listeners.clear,
  }
}

/** A value with subscribers, which are called once per microtask however often the value changed. */
export interface Store<T> {
  get(): T
  set(next: T): void
  subscribe(listener: () => void): () => void
}

export function createStore<T>(value: T, onThrow: (error: unknown) => void, onSubscribe?: () => void): Store<T> {
  const listeners = createListeners<[]>(onThrow)
  let queued = false
  return {
    get: () => value,
    set(next) {
      if (next === value) return
      value = next
      if (queued) return
      queued = true
      queueMicrotask(() => {
        queued = false
        listeners.emit()
      })
    },
    subscribe(listener) {
      const off = listeners.add(listener)
      onSubscribe?.()
      return off
    },
  }
}
/** `createStore` bound to the instance: it reports what listeners throw, and starts the instance at the first subscription. */
export type MakeStore = <T>(value: T) => Store<T>
