/**
 * Posts JSON to one URL over connections that stay open. It uses Node's own client, because `fetch` takes several times
 * its processor time, which every text message would pay.
 */
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { finished } from 'node:stream/promises'

/** Time after which an idle connection is closed, in ms: less than servers keep one open, and as long as `fetch` does. */
const IDLE_MS = 4_000

export interface JsonPoster {
  /** Returns the status of the answer, which may be any. @throws Error when there is no answer in time */
  post(value: unknown): Promise<number>
  close(): void
}

export function createJsonPoster(url: string, timeoutMs: number): JsonPoster {
  const target = new URL(url)
  const { Agent, request } = target.protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS })
  return {
    async post(value) {
      const body = JSON.stringify(value)
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const sent = request(target, { method: 'POST', agent, headers }).end(body)
      const late = setTimeout(() => sent.destroy(new Error(`No answer within ${timeoutMs} ms`)), timeoutMs)
      try {
        const [response]: IncomingMessage[] = await once(sent, 'response')
        if (response) await finished(response.resume())
        return response?.statusCode ?? 0
      } finally {
        clearTimeout(late)
      }
    },
    close: () => agent.destroy(),
  }
}
