/** Tracks what a connector leaves in the page, what it contacts, and where it writes. */
import { type ListenerSet, listenerSet } from '../listeners.js'
import type { Note, Sighting } from './sighting.js'
import { watchChannels, watchConsole, watchRequests, watchStorage } from './watch-contacts.js'

export interface World {
  /** Returns what was added and not removed, e.g. `window message`. */
  left(): readonly string[]
  /** Everything that was written outside the connector so far: prints, requests, messages to other tabs. */
  readonly sightings: readonly Sighting[]
  /** Names of the globals before the connector ran. */
  readonly globals: ReadonlySet<string>
  /** Returns the result of `run`, and its contacts with storage, the network and other tabs. */
  contacts<T>(run: () => T): readonly [result: T, contacts: readonly string[]]
  /** Stops watching. */
  restore(): void
}

type Add = typeof EventTarget.prototype.addEventListener

/** Aborting a signal removes its listeners, so the signal is watched too. */
function watchTarget(what: string, target: EventTarget, left: Map<unknown, string>) {
  const { addEventListener: add, removeEventListener: remove } = target
  const names = new Map<unknown, Map<string, object>>()
  const getKey = (type: string, listener: unknown): object => {
    const types = names.get(listener) ?? new Map<string, object>()
    names.set(listener, types)
    const key = types.get(type) ?? {}
    types.set(type, key)
    return key
  }
  const watched: Add = (type, listener, options) => {
    const key = getKey(type, listener)
    left.set(key, `${what} ${type}`)
    if (typeof options === 'object') options?.signal?.addEventListener('abort', () => left.delete(key))
    add.call(target, type, listener, options)
  }
  target.addEventListener = watched
  target.removeEventListener = (...args: Parameters<Add>) => {
    left.delete(getKey(args[0], args[1]))
    remove.apply(target, args)
  }
  return () => {
    target.addEventListener = add
    target.removeEventListener = remove
  }
}

function watchIntervals(intervals: Set<unknown>) {
  const { setInterval: every, clearInterval: stop } = globalThis
  Reflect.set(globalThis, 'setInterval', (run: () => void, ms?: number) => {
    const timer = every(run, ms)
    intervals.add(timer)
    return timer
  })
  Reflect.set(globalThis, 'clearInterval', (timer: Parameters<typeof stop>[0]) => {
    intervals.delete(timer)
    stop(timer)
  })
  return () => {
    Reflect.set(globalThis, 'setInterval', every)
    Reflect.set(globalThis, 'clearInterval', stop)
  }
}

export function watchWorld(): World {
  const left = new Map<unknown, string>()
  const intervals = new Set<unknown>()
  const sightings: Sighting[] = []
  const contacts: ListenerSet<string> = listenerSet()
  const note: Note = sighting => {
    sightings.push(sighting)
  }
  const stops = [
    watchTarget('window', window, left),
    watchTarget('document', document, left),
    watchIntervals(intervals),
    watchConsole(note),
    watchRequests(note, contacts.emit),
    watchChannels(note, contacts.emit, left),
  ]
  const before = new Set(document.querySelectorAll('*'))
  return {
    sightings,
    globals: new Set(Object.getOwnPropertyNames(globalThis)),
    left: () => [
      ...left.values(),
      ...[...intervals].map(() => 'an interval'),
      ...[...document.querySelectorAll('body *')]
        .filter(element => !before.has(element))
        .map(element => `<${element.localName}>`),
    ],
    contacts<T>(run: () => T) {
      const seen: string[] = []
      const off = contacts.add(contact => {
        seen.push(contact)
      })
      const stop = watchStorage(contacts.emit)
      try {
        return [run(), seen]
      } finally {
        stop()
        off()
      }
    },
    restore() {
      for (const stop of [...stops].reverse()) stop()
    },
  }
}
