/**
 * The promise behind a request. Usually its page is gone when the response comes; where the wallet opens a new tab (iOS), the old
 * page is still there and gets the response from that tab. A page that returns from the back/forward cache gets none.
 */
import type { Tabs } from '@keybay/kernel'
import { aborted, KeybayError, userRejected } from '@keybay/kernel/spec'
import { reviveError } from './errors.js'

type Outcome = { readonly result: unknown } | { readonly error: unknown }
interface Request {
  readonly state: string
  readonly settle: (outcome: Outcome) => void
  readonly fail: (reason: unknown) => void
  /** Stops listening without settling. */
  readonly end: () => void
}
const TYPE = 'deep-link'

function isResponse(value: unknown): value is Outcome & { readonly state: string } {
  return typeof value === 'object' && value !== null && 'state' in value && ('result' in value || 'error' in value)
}

export class Waiting {
  readonly #tabs: Pick<Tabs, 'post' | 'on'>
  readonly #connectorId: string
  /** One at a time: the newest request is the one the user sees. */
  #current: Request | undefined

  constructor(tabs: Pick<Tabs, 'post' | 'on'>, connectorId: string) {
    this.#tabs = tabs
    this.#connectorId = connectorId
  }

  /** Waits for the response. @throws KeybayError `aborted` when a newer request replaces it, `user_rejected` */
  expect(state: string, signal?: AbortSignal): Promise<unknown> {
    const connectorId = this.#connectorId
    this.#current?.fail(new KeybayError(aborted, { connectorId }))
    return new Promise((resolve, reject) => {
      const end = () => {
        if (this.#current?.state === state) this.#current = undefined
        unsubscribe()
        removeEventListener('pageshow', onPageShow)
        signal?.removeEventListener('abort', onAbort)
      }
      const fail = (reason: unknown) => {
        end()
        reject(reason)
      }
      const settle = (outcome: Outcome) => {
        if ('error' in outcome) return fail(reviveError(outcome.error, connectorId))
        end()
        resolve(outcome.result)
      }
      const onAbort = () => fail(signal?.reason)
      // The user came back without a response.
      const onPageShow = ({ persisted }: PageTransitionEvent) => {
        if (persisted) fail(new KeybayError(userRejected, { connectorId }))
      }
      const unsubscribe = this.#tabs.on(({ type, data }) => {
        if (type === TYPE && isResponse(data)) this.#settle(data.state, data)
      })
      addEventListener('pageshow', onPageShow)
      signal?.addEventListener('abort', onAbort)
      this.#current = { state, settle, fail, end }
    })
  }

  /** Reports a response to this page and to the other tabs. */
  report(state: string, outcome: Outcome): void {
    this.#tabs.post({ type: TYPE, data: { state, ...outcome } })
    this.#settle(state, outcome)
  }

  /** Forgets the request without settling its promise. */
  drop(state: string): void {
    if (this.#current?.state === state) this.#current.end()
  }

  stop(reason: KeybayError): void {
    this.#current?.fail(reason)
  }

  #settle(state: string, outcome: Outcome): void {
    if (this.#current?.state === state) this.#current.settle(outcome)
  }
}
