/** Code that loads with its first use. */
import { toKeybayError } from './spec/errors.js'

/** Shares one load between all calls. A failed load is forgotten, so that the next call tries again. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load().catch(error => {
      loading = undefined
      throw error
    })
    return loading
  }
}

/** @throws TypeError if the object has no such method */
export function callMethod(target: unknown, name: string, args: readonly unknown[]): unknown {
  return Reflect.apply(Reflect.get(Object(target), name), target, args)
}

/** Methods `K` of `Api`, all asynchronous. */
export type LazyApi<Api, K extends keyof Api> = {
  readonly [Name in K]: Api[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never
}

/**
 * Builds the methods of an API whose code loads with the first call. Every rejection is a KeybayError.
 *
 * @param load runs at each call: pass the result of `loadOnce`
 * @example
 * const load = loadOnce(() => import('./engine.js').then(({ createEngine }) => createEngine(kernel)))
 * return { api: lazyApi(load, ['createWallet', 'wallets']) }
 */
export function lazyApi<Api, const K extends keyof Api>(
  load: () => Promise<Api>,
  methods: readonly K[],
): LazyApi<Api, K>
export function lazyApi(load: () => Promise<unknown>, methods: readonly string[]): object {
  const later =
    (name: string) =>
    async (...args: readonly unknown[]): Promise<unknown> => {
      try {
        return await callMethod(await load(), name, args)
      } catch (error) {
        throw toKeybayError(error)
      }
    }
  return Object.fromEntries(methods.map(name => [name, later(name)]))
}
