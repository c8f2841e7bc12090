/** Tracks what a connector leaves in the page: listeners, intervals, elements. */

export interface World {
  /** Returns what was added and not removed, e.g. `window message`. */
  left(): readonly string[]
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

export function watchWorld(): World {
  const left = new Map<unknown, string>()
  const stops = [watchTarget('window', window, left), watchTarget('document', document, left)]
  const { setInterval: every, clearInterval: stop } = globalThis
  const intervals = new Set<unknown>()
  Reflect.set(globalThis, 'setInterval', (run: () => void, ms?: number) => {
    const timer = every(run, ms)
    intervals.add(timer)
    return timer
  })
  Reflect.set(globalThis, 'clearInterval', (timer: Parameters<typeof stop>[0]) => {
    intervals.delete(timer)
    stop(timer)
  })
  const before = new Set(document.querySelectorAll('*'))
  return {
    left: () => [
      ...left.values(),
      ...[...intervals].map(() => 'an interval'),
      ...[...document.querySelectorAll('body *')]
        .filter(element => !before.has(element))
        .map(element => `<${element.localName}>`),
    ],
    restore() {
      for (const stop of stops) stop()
      Reflect.set(globalThis, 'setInterval', every)
      Reflect.set(globalThis, 'clearInterval', stop)
    },
  }
}
