/** Starts the real API with its inbox for a test that runs in a page, and a host app in that page. */
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { AnyCore, Prompt, PromptType } from '@keybay/kernel'
import { vi } from 'vitest'

// Allow real services on a slow machine enough time.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 })

export type World = Awaited<ReturnType<typeof startWorld>>
export interface WorldOptions {
  readonly origins?: readonly string[]
  /** IDs of environments. Default: `local`. */
  readonly environments?: readonly string[]
}

interface Answer {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}
const workerFile = join(import.meta.dirname, 'page-world-worker.mjs')

export async function startWorld({ origins = [location.origin], environments = ['local'] }: WorldOptions = {}) {
  const settings = { name: 'Acme', allowedOrigins: [...origins], merge: true }
  const worker = new Worker(workerFile, {
    workerData: { environments: Object.fromEntries(environments.map(id => [id, settings])) },
  })
  const [{ ready: url }] = await once(worker, 'message')
  let count = 0
  const call = async (name: string, ...args: readonly unknown[]) => {
    const id = ++count
    const answered = new Promise<Answer>(resolve => {
      const hear = (answer: Answer) => {
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
  const textsTo = async (to: string) => Array.from<unknown, string>(Object(await call('texts', to)), String)
  return {
    url: String(url),
    /** Returns the newest code sent to the address: the API sends it before it responds, and a notice may come after it. */
    async codeFor(to: string): Promise<string> {
      const codes = (await textsTo(to)).flatMap(text => /\b\d{6}\b/.exec(text) ?? [])
      if (codes[0] === undefined) throw new Error(`No code for ${to}`)
      return codes[0]
    },
    /** Returns a token of the host's own issuer, which the API accepts. */
    externalToken: async (subject: string) => String(await call('externalToken', subject)),
    messagesTo: async (to: string) => (await textsTo(to)).length,
    /** Moves the API's clock forward, in ms. */
    async advance(ms: number) {
      await call('advance', ms)
    },
    async stop() {
      await call('stop')
      await worker.terminate()
    },
  }
}

export function wrongFor(code: string): string {
  return code === '000000' ? '000001' : '000000'
}

/** Resolves with the open prompt of this type, other than `before`, as soon as there is one. */
export function asked<T extends PromptType>(
  keybay: Pick<AnyCore, 'prompts'>,
  type: T,
  before?: { readonly promptId: string },
): Promise<Prompt<T>> {
  return new Promise(resolve => {
    const is = (prompt: Prompt): prompt is Prompt<T> & Prompt =>
      prompt.type === type && prompt.promptId !== before?.promptId
    const look = () => {
      const open = keybay.prompts.list().find(is)
      if (!open) return
      off()
      resolve(open)
    }
    const off = keybay.prompts.subscribe(look)
    look()
  })
}

/**
 * Answers each question whether to add a login to the signed-in user's account.
 *
 * @returns the titles of the questions so far
 */
export function answerLinkQuestions(keybay: Pick<AnyCore, 'on'>, answer: 'add' | 'cancel' = 'add'): readonly string[] {
  const titles: string[] = []
  keybay.on('prompt:opened', ({ prompt }: { readonly prompt: Prompt }) => {
    if (prompt.type !== 'choice' || !('options' in prompt) || !prompt.title.startsWith('Add this login')) return
    titles.push(prompt.title)
    prompt.answer(answer)
  })
  return titles
}

/** Environments of the conformance suite's hosts, used one after the other. */
export const CONFORMANCE_ENVIRONMENTS: readonly string[] = Array.from({ length: 90 }, (_, i) => `conformance-${i + 1}`)
