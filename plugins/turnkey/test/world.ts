/** Real services for a test that runs in a page, and the state that the page reads from them. */
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { vi } from 'vitest'

// Real services: longer timeouts for slow machines.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 })

export interface World {
  /** URL of the API. */
  readonly url: string
  readonly custodyUrl: string
  readonly signerPublicKey: string
  /** Returns the newest message to an address, or the next one after `after`. */
  mailTo(to: string, after?: string): Promise<{ readonly id: string; readonly text: string }>
  /** Advances the services' clocks, in ms. */
  advance(ms: number): Promise<void>
  /** Returns the custody requests since the last call, as paths. */
  asked(): Promise<readonly string[]>
  stop(): Promise<void>
}

export interface WorldOptions {
  /** Wait time of the custody service; 0 responds to every request as pending. */
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
