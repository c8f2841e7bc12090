import { aborted, isKeybayError, type KeybayError, userRejected } from '@keybay/kernel'
import { type RefObject, useEffect, useRef } from 'react'
import type { Action } from '../action.js'
import { toast } from './toasts.js'

/**
 * Moves focus to an element of the page when the focused element is removed, e.g. a deleted row, a closed form or a
 * dialog's button. Without it the browser resets focus to the top of the page. Does not take focus from an element
 * that has it, and moves none while a page loads, where nothing has had it.
 *
 * @param shown value that changes when the element may be removed
 * @returns ref for the element to focus; if it is not attached, the page's heading is focused
 * @example
 * const heading = useLostFocus<HTMLHeadingElement>(sessions.length)
 * return <h2 ref={heading} tabIndex={-1}>Sessions</h2>
 */
export function useLostFocus<T extends HTMLElement>(shown: unknown): RefObject<T | null> {
  const place = useRef<T>(null)
  const last = useRef(shown)
  const hadFocus = useRef(false)
  useEffect(() => {
    const note = () => {
      hadFocus.current ||= document.activeElement !== document.body
    }
    note()
    addEventListener('focusin', note)
    return () => removeEventListener('focusin', note)
  }, [])
  useEffect(() => {
    if (last.current === shown) return
    last.current = shown
    if (!hadFocus.current || document.activeElement !== document.body) return
    const next = place.current ?? document.querySelector<HTMLElement>('main h1')
    next?.focus({ preventScroll: place.current === null })
  }, [shown])
  return place
}

export interface Change<Args extends readonly unknown[], T = unknown> {
  readonly busy: boolean
  /** Undefined when the user declined. */
  readonly error: KeybayError | undefined
  readonly data: T | undefined
  run(...args: Args): void
  reset(): void
}

/**
 * Runs an action that changes something, with a toast after a success.
 *
 * @param done text of the toast; undefined: none
 * @example
 * const remove = useChange(useUnlink(), 'Removed')
 * return <Button text="Remove" busy={remove.busy} onClick={() => remove.run(id)} />
 */
export function useChange<Args extends readonly unknown[], T>(
  { status, error, data, runAsync, reset }: Action<Args, T>,
  done: string | undefined,
  then: (result: T) => void = () => {},
): Change<Args, T> {
  const busy = status === 'pending'
  const isStopped = isKeybayError(error, userRejected) || isKeybayError(error, aborted)
  const run = (...args: Args) => {
    if (busy) return
    runAsync(...args).then(
      result => {
        if (done !== undefined) toast(done)
        then(result)
      },
      () => {}, // the UI shows `error`
    )
  }
  return { busy, error: isStopped ? undefined : error, data, run, reset }
}
