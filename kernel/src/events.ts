/** One typed bus for what happened, and the store behind every snapshot. */
import type { Connection } from './connections.js'
import type { LogEntry } from './logger.js'
import type { Prompt } from './prompts.js'
import type { SessionState } from './session.js'
import type { KeybayError } from './spec/errors.js'

/** event → payload. Plugins add theirs by declaration merging. */
export interface KeybayEvents {
  'connection:opening': { readonly connectorId: string }
  /** `resumed`: without the user, after a reload, a redirect, or in another tab. */
  'connection:opened': { readonly connection: Connection; readonly resumed: boolean }
  'connection:changed': { readonly connection: Connection }
  /** `by`: who ended it. */
  'connection:closed': { readonly connectorId: string; readonly by: 'host' | 'wallet' | 'tab' }
  'connection:failed': { readonly connectorId: string; readonly error: KeybayError }
  'redirect:started': { readonly connectorId: string; readonly method: string }
  /** A wallet method that left the page has come back. */
  'operation:resumed': { readonly connectorId: string; readonly method: string; readonly result: unknown }
  'operation:failed': { readonly connectorId: string; readonly method: string; readonly error: KeybayError }
  'prompt:opened': { readonly prompt: Prompt }
  'prompt:closed': { readonly promptId: string }
  'session:changed': { readonly session: SessionState }
  /** Everything that was logged at its level or above, redacted. */
  log: LogEntry
}

export interface Bus {
  on<const K extends keyof KeybayEvents>(event: K, listener: (payload: KeybayEvents[K]) => void): () => void
  /** Hears every event: for timelines and devtools. */
  onAny(listener: (event: keyof KeybayEvents, payload: unknown) => void): () => void
  emit<const K extends keyof KeybayEvents>(event: K, payload: KeybayEvents[K]): void
}

interface Listeners<A extends readonly unknown[]> {
  add(listener: (...args: A) => void): () => void
  tell(...args: A): void
  clear(): void
}
/** Listeners that may throw without disturbing each other. */
export function createListeners<A extends readonly unknown[]>(onThrow: (error: unknown) => void): Listeners<A> {
  const all = new Set<(...args: A) => void>()
  return {
    add(listener: (...args: A) => void) {
      // A wrapper, so that one function added twice is told twice and leaves once.
      const own = (...args: A) => listener(...args)
      all.add(own)
      return () => {
        all.delete(own)
      }
    },
    tell(...args: A) {
      for (const listener of [...all])
        try {
          listener(...args)
        } catch (error) {
          onThrow(error)
        }
    },
    clear: () => all.clear(),
  }
}

// Name and payload travel together, so the name says what the payload is.
function isEvent<K extends keyof KeybayEvents>(
  event: K,
  name: keyof KeybayEvents,
  _payload: unknown,
): _payload is KeybayEvents[K] {
  return name === event
}

/** `onThrow` hears of a listener that throws; the other listeners are not disturbed. */
export function createBus(onThrow: (error: unknown) => void): Bus & { clear(): void } {
  const all = createListeners<[event: keyof KeybayEvents, payload: unknown]>(onThrow)
  return {
    on: (event, listener) =>
      all.add((name, payload) => {
        if (isEvent(event, name, payload)) listener(payload)
      }),
    onAny: all.add,
    emit: all.tell,
    clear: all.clear,
  }
}

/** A value with subscribers, told once per microtask however many changes came. */
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
        listeners.tell()
      })
    },
    subscribe(listener) {
      const off = listeners.add(listener)
      onSubscribe?.()
      return off
    },
  }
}
/** `createStore` with the instance's own reporting and start already bound. */
export type MakeStore = <T>(value: T) => Store<T>
