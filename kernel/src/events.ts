/** One typed bus for what happened, and the store behind every snapshot. */
import { EventEmitter } from 'eventemitter3'
import type { Connection } from './connections.js'
import type { KeybayError } from './errors.js'
import type { LogEntry } from './logger.js'
import type { Prompt } from './prompts.js'
import type { SessionState } from './session.js'

/** event → payload. Plugins add theirs by declaration merging. */
export interface KeybayEvents {
  'connector:added': { readonly connectorId: string }
  'connector:removed': { readonly connectorId: string }
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
const ANY = Symbol()

/** `onThrow` hears of a listener that throws; the other listeners are not disturbed. */
export const createBus = (onThrow: (error: unknown) => void): Bus & { clear(): void } => {
  const emitter = new EventEmitter()
  const listen = <A extends readonly unknown[]>(event: string | symbol, listener: (...args: A) => void) => {
    const guarded = (...args: A) => {
      try {
        listener(...args)
      } catch (error) {
        onThrow(error)
      }
    }
    emitter.on(event, guarded)
    return () => {
      emitter.off(event, guarded)
    }
  }
  return {
    on: listen,
    onAny: listener => listen(ANY, listener),
    emit(event, payload) {
      emitter.emit(event, payload)
      emitter.emit(ANY, event, payload)
    },
    clear: () => {
      emitter.removeAllListeners()
    },
  }
}

/** A value with subscribers, told once per microtask however many changes came. */
export interface Store<T> {
  get(): T
  set(next: T): void
  subscribe(listener: () => void): () => void
}
export const createStore = <T>(value: T, onThrow: (error: unknown) => void, onSubscribe?: () => void): Store<T> => {
  const listeners = new Set<() => void>()
  let queued = false
  const tell = () => {
    queued = false
    for (const listener of [...listeners])
      try {
        listener()
      } catch (error) {
        onThrow(error)
      }
  }
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      if (queued) return
      queued = true
      queueMicrotask(tell)
    },
    subscribe(listener) {
      // A wrapper, so that one function subscribed twice is told twice and leaves once.
      const own = () => listener()
      listeners.add(own)
      onSubscribe?.()
      return () => {
        listeners.delete(own)
      }
    },
  }
}
