/** The JSON-RPC client of a sweep. */
import { KeybayError, requestFailed } from '@keybay/kernel/spec'
import * as v from 'valibot'

export type Rpc = <T>(method: string, params: readonly unknown[], answer: v.GenericSchema<unknown, T>) => Promise<T>

const envelope = v.object({
  result: v.optional(v.unknown()),
  error: v.optional(v.object({ code: v.number(), message: v.string() })),
})

/** Returns a client of a node's JSON-RPC. It throws KeybayError `request_failed` with the node's message. */
export function createRpc(url: string, fetch: typeof globalThis.fetch = globalThis.fetch): Rpc {
  return async (method, params, answer) => {
    const fail = (detail: string) => new KeybayError(requestFailed, { detail: `${method}: ${detail}` })
    let value: unknown
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      value = await response.json()
    } catch {
      throw fail('the node does not respond')
    }
    const { success, output } = v.safeParse(envelope, value)
    if (!success) throw fail('not JSON-RPC')
    if (output.error) throw fail(output.error.message)
    const read = v.safeParse(answer, output.result)
    if (!read.success) throw fail('the result has another shape')
    return read.output
  }
}
