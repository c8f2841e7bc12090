/** The real services for a test that plays in a page, and what the page reads of them. */
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { vi } from 'vitest'

// Real services: with patience for a slow machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 })

export interface World {
  /** Of the API. */
  readonly url: string
  readonly custodyUrl: string
  readonly signerPublicKey: string
  /** The newest message to an address, or the next one after `after`. */
  mailTo(to: string, after?: string): Promise<{ readonly id: string; readonly text: string }>
  /** Moves the services' clocks, ms. */
  advance(ms: number): Promise<void>
  /** What custody was asked since the last time, as paths. */
  asked(): Promise<readonly string[]>
  stop(): Promise<void>
}

export interface WorldOptions {
  /** Of custody: 0 answers that everything is pending. */
  readonly patience?: number
  readonly environment?: Readonly<Record<string, unknown>>
}

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const worker = new Worker(join(import.meta.dirname, 'world-worker.mjs'), {
    workerData: { origin: location.origin, ...options },
  })
  const [{ api, custody, signerPublicKey }] = await once(worker, 'message')
  let count = 0
  const call = async (name: string, ...args: readonly unknown[]): Promise<unknown> => {
    const id = ++count
    const answered = new Promise<{ id: number; value?: unknown; error?: string }>(resolve => {
      const hear = (answer: { id: number; value?: unknown; error?: string }) => {
        if (answer.id !== id) return
        worker.off('message', hear)
        resolve(answer)
      }
      worker.on('message', hear)
    })
    worker.postMessage({ id, name, args })
    const { value, error } = await answered
    if (error) throw new Error(error)
    return value
  }
  return {
    url: api,
    custodyUrl: custody,
    signerPublicKey,
    mailTo: async (to, after) => Object(await call('latest', to, after)),
    async advance(ms) {
      await call('advance', ms)
    },
    asked: async () => Object(await call('asked')),
    async stop() {
      await call('stop')
      await worker.terminate()
    },
  }
}
