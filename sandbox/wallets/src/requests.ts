/** What waits for the user's answer, first come first served. */
import { userRejected, walletLocked } from './errors.js'
import type { Transaction } from './transaction.js'

export type ApprovalRequest = {
  /** The site that asks. */
  readonly origin: string
  /** The account that is asked for, or that would sign. */
  readonly address: string
} & (
  | { readonly kind: 'unlock' }
  | { readonly kind: 'connect' }
  | { readonly kind: 'message'; readonly messages: readonly Uint8Array[]; readonly hardware: boolean }
  | {
      readonly kind: 'sign-in'
      readonly texts: readonly string[]
      readonly foreignDomain: boolean
      /** Approved or not, the device will not sign it. */
      readonly hardware: boolean
    }
  | {
      /** In words of its own: what is not Solana's. */
      readonly kind: 'text'
      readonly title: string
      readonly lead: string
      readonly texts: readonly string[]
    }
  | {
      readonly kind: 'transaction'
      readonly chain: string
      readonly transactions: readonly Transaction[]
      /** The wallet sends it too. */
      readonly send: boolean
    }
)

export interface Requests {
  readonly current: ApprovalRequest | undefined
  readonly waiting: number
  /** Resolves when approved. @throws `User rejected the request.` (4001), or for an unlock `The wallet is locked` (4100) */
  ask(request: ApprovalRequest): Promise<void>
  /** Answers the request that is shown. @throws Error when there is none: a test that approves nothing must notice */
  answer(approved: boolean): void
  /** Answers every request of which `which` holds. */
  answerAll(approved: boolean, which: (request: ApprovalRequest) => boolean): void
  /** All that waits fails with `The wallet is locked`. */
  lock(): void
  subscribe(listener: () => void): () => void
}

interface Waiting {
  readonly request: ApprovalRequest
  resolve(): void
  reject(error: Error): void
}

export function createRequests(): Requests {
  let queue: readonly Waiting[] = []
  const listeners = new Set<() => void>()
  const set = (next: readonly Waiting[]) => {
    queue = next
    for (const listener of [...listeners]) listener()
  }
  const remove = (which: (request: ApprovalRequest) => boolean): readonly Waiting[] => {
    const gone = queue.filter(({ request }) => which(request))
    if (gone.length) set(queue.filter(one => !gone.includes(one)))
    return gone
  }
  const answerAll: Requests['answerAll'] = (approved, which) => {
    for (const { request, resolve, reject } of remove(which))
      if (approved) resolve()
      else reject(request.kind === 'unlock' ? walletLocked() : userRejected())
  }
  return {
    get current() {
      return queue[0]?.request
    },
    get waiting() {
      return queue.length
    },
    ask: request =>
      new Promise((resolve, reject) => {
        set([...queue, { request, resolve, reject }])
      }),
    answer: approved => {
      const current = queue[0]?.request
      if (!current) throw new Error('Nothing waits for an answer.')
      answerAll(approved, request => request === current)
    },
    answerAll,
    lock: () => {
      for (const { reject } of remove(() => true)) reject(walletLocked())
    },
    subscribe: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
