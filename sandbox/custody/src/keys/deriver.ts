/** Sends derivations to a thread, one after the other. */
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { CustodyError, invalidRequest, unavailable } from '../http/errors.js'
import type { AddressFormat, Curve, KeyPair } from './derive.js'

export interface AccountPath {
  readonly curve: Curve
  readonly path: string
  readonly addressFormat: AddressFormat
}

export interface DerivedAccount extends AccountPath, KeyPair {
  readonly address: string
}

export interface DerivationRequest {
  readonly id: number
  readonly mnemonic: string
  readonly accounts: readonly AccountPath[]
}

export interface DerivationAnswer {
  readonly id: number
  readonly derived?: readonly DerivedAccount[]
  /** Details of a request that names no key. */
  readonly invalid?: Readonly<Record<string, unknown>>
}

export interface Deriver {
  /** @throws CustodyError `BAD_REQUEST` for a path or format that the curve does not have; `UNAVAILABLE` at the end */
  derive(mnemonic: string, accounts: readonly AccountPath[]): Promise<readonly DerivedAccount[]>
  stop(): Promise<void>
}

interface Waiting {
  resolve(derived: readonly DerivedAccount[]): void
  reject(error: Error): void
}

/** The built file: a thread loads JavaScript, also where tests run the source. */
const WORKER = createRequire(import.meta.url).resolve('@keybay/sandbox-custody/derivation-worker')

export function createDeriver(): Deriver {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let lastId = 0
  const settle = ({ id, derived, invalid }: DerivationAnswer) => {
    const request = waiting.get(id)
    waiting.delete(id)
    if (waiting.size === 0) worker?.unref()
    if (derived) request?.resolve(derived)
    else request?.reject(new CustodyError(invalidRequest, invalid))
  }
  const end = (ended: Worker) => {
    if (worker !== ended) return
    worker = undefined
    for (const { reject } of waiting.values()) reject(new CustodyError(unavailable))
    waiting.clear()
  }
  const start = () => {
    const started = new Worker(WORKER)
    started.on('message', settle)
    // An error ends the thread; the next derivation starts another.
    started.on('error', () => end(started))
    started.on('exit', () => end(started))
    return started
  }
  return {
    derive(mnemonic, accounts) {
      if (accounts.length === 0) return Promise.resolve([])
      worker ??= start()
      const running = worker
      running.ref()
      const id = ++lastId
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        running.postMessage({ id, mnemonic, accounts } satisfies DerivationRequest)
      })
    },
    stop: async () => void (await worker?.terminate()),
  }
}
