import { type ComponentType, type ReactElement, useEffect, useSyncExternalStore } from 'react'
import { Failure } from './feedback.js'
import { ui } from './locales/en/ui.js'
import { useMessages } from './messages.js'

/** Code of a view that loads on its own. */
export interface Loadable {
  /** Loads the code ahead of time. */
  preload(): Promise<void>
  /** Returns whether the code is loaded, or could not be loaded. */
  isSettled(): boolean
  subscribe(listener: () => void): () => void
}
/** A view of `lazyView`. */
export interface LazyView<P> extends Loadable {
  /** @example <Details id={id} /> */
  (props: P): ReactElement | null
}

/**
 * Makes a view whose code loads when it is first shown. Renders nothing until then, and a button to try again after a
 * failure. Unlike `lazy` of React, it needs no `Suspense`, and a view that is loaded renders at once.
 *
 * @example const Details = lazyView(async () => (await import('./details.js')).Details)
 */
export function lazyView<P extends object>(load: () => Promise<ComponentType<P>>): LazyView<P> {
  let state: { readonly View?: ComponentType<P>; readonly error?: Error } = {}
  let loading: Promise<void> | undefined
  const listeners = new Set<() => void>()
  const settle = (next: typeof state) => {
    state = next
    for (const listener of listeners) listener()
  }
  const begin = async () => {
    try {
      settle({ View: await load() })
    } catch (thrown) {
      loading = undefined
      settle({ error: thrown instanceof Error ? thrown : new Error(String(thrown)) })
    }
  }
  const preload = (): Promise<void> => (loading ??= begin())
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const get = () => state
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each module, as `lazy` of React
  function Lazy(props: P): ReactElement | null {
    const { text } = useMessages(ui)
    const { View, error } = useSyncExternalStore(subscribe, get, get)
    useEffect(() => void preload(), [])
    if (View) return <View {...props} />
    return error ? <Failure title={text('notLoaded')} error={error} retry={() => void preload()} /> : null
  }
  return Object.assign(Lazy, { preload, subscribe, isSettled: () => Boolean(state.View ?? state.error) })
}

function subscribeNone(): () => void {
  return () => {}
}

/**
 * Loads the view's code, and returns whether it can be shown.
 *
 * @example const isReady = useIsSettled(Details)
 */
export function useIsSettled(view: Loadable | undefined): boolean {
  useEffect(() => void view?.preload(), [view])
  return useSyncExternalStore(
    view?.subscribe ?? subscribeNone,
    () => view?.isSettled() ?? false,
    () => false,
  )
}
