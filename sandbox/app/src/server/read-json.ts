import type { IncomingMessage } from 'node:http'

/** Maximum body length, in characters. */
const MAX = 1024

/** Returns the body; undefined if too long or not JSON. Another origin needs a CORS preflight to send JSON. */
export async function readJson(request: IncomingMessage, most: number = MAX): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) return undefined
  try {
    let text = ''
    for await (const chunk of request) {
      text += chunk
      if (text.length > most) return undefined
    }
    return JSON.parse(text)
  } catch {
    // Not JSON, or the connection closed.
    return undefined
  }
}
