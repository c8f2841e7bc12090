/**
 * The promise of who asked. Mostly its page is gone when the answer comes; but where the wallet opens a new tab (iOS) the
 * old one is still there, and hears of it. A page that comes back from the browser's cache was left without an answer.
 */
import type { KeybayError, Tabs } from '@keybay/kernel'

type Outcome = { readonly result: unknown } | { readonly error: unknown }
export interface Waiting {
  /** One at a time: the newest request is the one that the user is looking at. */
  expect(state: string, signal?: AbortSignal): Promise<unknown>
  /** Tells whoever waits, here or in another tab. */
  tell(state: string, outcome: Outcome): void
  /** Nobody waits for this one any more. */
  drop(state: string): void
  stop(reason: KeybayError): void
}
const TYPE = 'deep-link'

function isAnswer(value: unknown): value is Outcome & { readonly state: string } {
  return typeof value === 'object' && value !== null && 'state' in value && ('result' in value || 'error' in value)
}

export function createWaiting(
  tabs: Pick<Tabs, 'post' | 'on'>,
  errors: {
    /** The user came back without an answer. */
    left(): KeybayError
    /** A newer request took its place. */
    replaced(): KeybayError
    /** What another tab sent, an error once more. */
    revive(sent: unknown): KeybayError
  },
): Waiting {
  let current:
    | { readonly state: string; end(): void; settle(outcome: Outcome): void; fail(reason: unknown): void }
    | undefined
  const tell = (state: string, outcome: Outcome) => {
    if (current?.state === state) current.settle(outcome)
  }
  return {
    expect(state, signal) {
      current?.fail(errors.replaced())
      return new Promise((resolve, reject) => {
        const end = () => {
          if (current?.state === state) current = undefined
          off()
          removeEventListener('pageshow', back)
          signal?.removeEventListener('abort', abort)
        }
        const fail = (reason: unknown) => {
          end()
          reject(reason)
        }
        const abort = () => fail(signal?.reason)
        const back = ({ persisted }: PageTransitionEvent) => {
          if (persisted) fail(errors.left())
        }
        const off = tabs.on(({ type, data }) => {
          if (type === TYPE && isAnswer(data)) tell(data.state, data)
        })
        addEventListener('pageshow', back)
        signal?.addEventListener('abort', abort)
        current = {
          state,
          end,
          fail,
          settle(outcome) {
            if ('error' in outcome) return fail(errors.revive(outcome.error))
            end()
            resolve(outcome.result)
          },
        }
      })
    },
    tell(state, outcome) {
      tabs.post({ type: TYPE, data: { state, ...outcome } })
      tell(state, outcome)
    },
    drop(state) {
      if (current?.state === state) current.end()
    },
    stop: reason => current?.fail(reason),
  }
}
