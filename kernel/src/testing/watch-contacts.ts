/** Watches what a connector prints, requests, stores and sends to other tabs. */
import { TROUBLESHOOT_KEY } from '../logger.js'
import { asText, type Note } from './sighting.js'

type Contact = (what: string) => void

const LEVELS = ['debug', 'info', 'log', 'warn', 'error'] as const

/** Notes everything printed. Hides the kernel's own entries, which a check makes by the hundred. */
export function watchConsole(note: Note): () => void {
  const { console } = globalThis
  const before = LEVELS.map(level => [level, console[level]] as const)
  for (const [level, print] of before)
    console[level] = (...args: unknown[]) => {
      for (const arg of args) note({ where: `the console (${level})`, text: `${String(arg)} ${asText(arg)}` })
      if (!String(args[0]).startsWith('[keybay]')) print.apply(console, args)
    }
  return () => {
    for (const [level, print] of before) console[level] = print
  }
}

/** Replaces a global function or class. @param onUse receives the arguments, and the new object of a class */
function watchGlobal(name: string, onUse: (args: readonly unknown[], made?: object) => void): () => void {
  const original: unknown = Reflect.get(globalThis, name)
  if (typeof original !== 'function') return () => {}
  const watched = new Proxy(original, {
    apply(target, self, args) {
      onUse(args)
      return Reflect.apply(target, self, args)
    },
    construct(target, args, newTarget) {
      const made: object = Reflect.construct(target, args, newTarget)
      onUse(args, made)
      return made
    },
  })
  Reflect.set(globalThis, name, watched)
  return () => {
    if (Reflect.get(globalThis, name) === watched) Reflect.set(globalThis, name, original)
  }
}

function getAddress(input: unknown): string {
  return String(Object(input).url ?? input)
}

/** Notes the addresses of requests. Their bodies may hold secrets: a login sends its proof to a server. */
export function watchRequests(note: Note, contact: Contact): () => void {
  const stops = ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'].map(name =>
    watchGlobal(name, ([input]) => {
      contact(name)
      note({ where: `the address of a request (${name})`, text: getAddress(input) })
    }),
  )
  return () => {
    for (const stop of stops) stop()
  }
}

/** Notes the messages to other tabs, and the channels that stay open. */
export function watchChannels(note: Note, contact: Contact, left: Map<unknown, string>): () => void {
  return watchGlobal('BroadcastChannel', ([name], channel) => {
    if (!channel || !('postMessage' in channel) || !('close' in channel)) return
    const { postMessage, close } = channel
    if (typeof postMessage !== 'function' || typeof close !== 'function') return
    const what = `BroadcastChannel “${name}”`
    contact(what)
    left.set(channel, what)
    Reflect.set(channel, 'postMessage', (message: unknown) => {
      note({ where: `a message of ${what}`, text: asText(message) ?? '' })
      Reflect.apply(postMessage, channel, [message])
    })
    Reflect.set(channel, 'close', () => {
      left.delete(channel)
      Reflect.apply(close, channel, [])
    })
  })
}

/** Reports each use of the browser's storage. */
export function watchStorage(contact: Contact): () => void {
  const stops = ['localStorage', 'sessionStorage', 'indexedDB'].flatMap(name => {
    const descriptor = Object.getOwnPropertyDescriptor(globalThis, name)
    const storage: unknown = Reflect.get(globalThis, name)
    if (!descriptor?.configurable || typeof storage !== 'object' || !storage) return []
    const watched = new Proxy(storage, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key)
        if (typeof value !== 'function') return value
        return (...args: readonly unknown[]) => {
          // The kernel's logger reads its own key.
          if (args[0] !== TROUBLESHOOT_KEY) contact(`${name}.${String(key)}`)
          return Reflect.apply(value, target, args)
        }
      },
      set(target, key, value) {
        contact(`${name}.${String(key)}`)
        return Reflect.set(target, key, value)
      },
    })
    Object.defineProperty(globalThis, name, { configurable: true, get: () => watched })
    return [() => Object.defineProperty(globalThis, name, descriptor)]
  })
  return () => {
    for (const stop of stops) stop()
  }
}
