/**
 * Shows prompts in the visible frame, one at a time, in the frame's own words. A hidden frame cannot prompt: it reports
 * that the user must agree, and the page sends the same request to a visible frame.
 */
import { aborted, type Clock, KeybayError, userRejected } from '@keybay/kernel/spec'
import { consentRequired, type FrameView } from '@keybay/waas/protocol'
import { createBox } from './box.js'
import type { Child } from './dom.js'
import { explain } from './explain.js'
import { guardedButton } from './guard.js'
import { watchHeight } from './height.js'
import type { Identity } from './identity.js'
import { createWorkingPanel, isShownStep, type Step, workingRows } from './working.js'

export interface Question<T> {
  readonly title: string
  readonly content: readonly Child[]
  readonly identity?: Identity | undefined
  readonly action: string
  /** The one button of a window without a choice: nothing is left to cancel, or the answer comes from elsewhere. */
  readonly only?: 'action' | 'cancel' | undefined
  /** Reads the input when the user agrees. @throws Error whose message explains what to correct */
  readonly read: () => T | Promise<T>
  /** If set, a click counts only if the user can see the screen or has typed the end of this address. */
  readonly guard?: { readonly address: string } | undefined
  readonly signal?: AbortSignal | undefined
  /** Resolves the prompt instead of the user, if the result comes from elsewhere. */
  readonly until?: ((signal: AbortSignal) => Promise<T>) | undefined
  /** Called once the prompt is on the screen. */
  readonly onShown?: () => void
}
export interface Screen {
  readonly visible: boolean
  /** @throws KeybayError `consent_required` in a hidden frame; `user_rejected`; `aborted` */
  ask<T>(question: Question<T>): Promise<T>
  /** Shows that an operation is running, below an open prompt or in its place. */
  busy(text: string): void
  /** Shows the step of the operation that `busy` names. */
  step(step: Step): void
  /** Clears the window, unless a prompt is open: it may belong to another job. */
  clear(): void
}

export interface ScreenOptions {
  readonly place: HTMLElement
  readonly view: FrameView
  readonly hostOrigin: string
  /** Name of the app, if this frame's operator named it. */
  readonly appName?: string | undefined
  readonly clock: Clock
  /** Called with the height of each prompt's content, in CSS pixels, so that the page can size the window. */
  readonly onHeight?: ((height: number) => void) | undefined
}

export function createScreen({ place, view, hostOrigin, appName, clock, onHeight }: ScreenOptions): Screen {
  const visible = view === 'visible'
  /** Element for progress in the open prompt. */
  let status: HTMLElement | undefined
  const panel = createWorkingPanel(place, clock, height => onHeight?.(height))
  let running: { readonly text: string; readonly at?: Step } | undefined
  const showWorking = () => {
    if (!visible || !running) return
    const rows = workingRows(running.text, running.at)
    if (status) status.replaceChildren(...rows)
    else panel.show(rows)
  }
  const clear = () => {
    running = undefined
    if (!status) place.replaceChildren()
  }

  const ask = <T>(question: Question<T>): Promise<T> => {
    if (!visible) return Promise.reject(new KeybayError(consentRequired))
    const { action, only, read, guard, signal, until, onShown } = question
    return new Promise<T>((resolve, reject) => {
      const agree = guardedButton(action, clock, guard?.address)
      const { box, heading, problem, working, cancel } = createBox({ ...question, hostOrigin, appName, agree })
      cancel.hidden = only === 'action'
      agree.button.hidden = only === 'cancel'
      status = working
      // A later prompt takes the place of this one.
      const isShown = () => status === working
      const over = new AbortController()
      const end = (settle: () => void) => {
        if (over.signal.aborted) return
        over.abort()
        agree.stop()
        stopWatching()
        signal?.removeEventListener('abort', abort)
        if (isShown()) {
          status = undefined
          clear()
        }
        settle()
      }
      const abort = () => end(() => reject(new KeybayError(aborted)))
      const refuse = () => end(() => reject(new KeybayError(userRejected)))
      let reading = false
      const submit = async () => {
        if (reading || over.signal.aborted || only === 'cancel' || !agree.counts()) return
        reading = true
        problem.textContent = ''
        try {
          const answer = await read()
          end(() => resolve(answer))
        } catch (error) {
          problem.textContent = explain(error)
        }
        reading = false
        working.replaceChildren()
      }
      cancel.addEventListener('click', refuse)
      agree.button.addEventListener('click', submit)
      const press = ({ target, key }: KeyboardEvent) => {
        const isTyped = target instanceof HTMLInputElement && !['checkbox', 'file'].includes(target.type)
        if (key === 'Enter' && isTyped && isShown()) submit()
        if (key === 'Escape') refuse()
      }
      // Listen on the whole document, because the focused element may be hidden by now, or nothing had focus.
      document.addEventListener('keydown', press, { signal: over.signal })
      place.replaceChildren(box)
      const stopWatching = watchHeight(box, height => onHeight?.(height))
      heading.focus()
      agree.start()
      onShown?.()
      signal?.addEventListener('abort', abort)
      if (signal?.aborted) abort()
      until?.(over.signal).then(
        answer => end(() => resolve(answer)),
        error => end(() => reject(error)),
      )
    })
  }

  return {
    visible,
    ask,
    busy(text) {
      running = { text }
      showWorking()
    },
    step(at) {
      if (!running || !isShownStep(at)) return
      running = { ...running, at }
      showWorking()
    },
    clear,
  }
}
