/** Queue of requests that wait for the user, first come, first served. */
import { userRejected, walletLocked } from './errors.js'
import type { Transaction } from './transaction.js'

export type ApprovalRequest = {
  /** Origin of the requesting app. */
  readonly origin: string
  /** Requested account, or the account that would sign. */
  readonly address: string
} & (
  | { readonly kind: 'unlock' }
  | { readonly kind: 'connect' }
  | { readonly kind: 'message'; readonly messages: readonly Uint8Array[]; readonly hardware: boolean }
  | {
      readonly kind: 'sign-in'
      readonly texts: readonly string[]
      readonly foreignDomain: boolean
      /** The device will not sign the request, whether or not the user approves it. */
      readonly hardware: boolean
    }
  | {
      /** Request in plain text, for everything outside Solana. */
      readonly kind: 'text'
      readonly title: string
      readonly lead: string
      readonly texts: readonly string[]
    }
  | {
      readonly kind: 'transaction'
      readonly chain: string
      readonly transactions: readonly Transaction[]
      /** The wallet also sends the transaction. */
      readonly send: boolean
      /** JSON-RPC address of a node, which tells whose a token account is. Without one, the account is shown. */
      readonly rpcUrl?: string | undefined
    }
)

export type Requests = ReturnType<typeof createRequests>

interface Waiting {
  readonly request: ApprovalRequest
  resolve(): void
  reject(error: Error): void
}

export function createRequests() {
  let queue: readonly Waiting[] = []
  const listeners = new Set<() => void>()
  const set = (next: readonly Waiting[]) => {
    queue = next
    for (const listener of [...listeners]) listener()
  }
  const remove = (which: (request: ApprovalRequest) => boolean): readonly Waiting[] => {
    const dropped = queue.filter(({ request }) => which(request))
    if (dropped.length) set(queue.filter(request => !dropped.includes(request)))
    return dropped
  }
  /** Answers every request that matches `which`. */
  const answerAll = (approved: boolean, which: (request: ApprovalRequest) => boolean): void => {
    for (const { request, resolve, reject } of remove(which))
      if (approved) resolve()
      else reject(request.kind === 'unlock' ? walletLocked() : userRejected())
  }
  return {
    get current(): ApprovalRequest | undefined {
      return queue[0]?.request
    },
    get waiting(): number {
      return queue.length
    },
    /** Resolves when approved. @throws `User rejected the request.` (4001); for an unlock `The wallet is locked` (4100) */
    ask: (request: ApprovalRequest) =>
      new Promise<void>((resolve, reject) => {
        set([...queue, { request, resolve, reject }])
      }),
    /** Answers the request shown. @throws Error if no request is pending: a test that approves nothing must notice */
    answer: (approved: boolean): void => {
      const current = queue[0]?.request
      if (!current) throw new Error('Nothing waits for an answer.')
      answerAll(approved, request => request === current)
    },
    answerAll,
    /** Fails all pending requests with `The wallet is locked`. */
    lock: (): void => {
      for (const { reject } of remove(() => true)) reject(walletLocked())
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
