import type { IncomingMessage } from 'node:http'

/** characters */
const MOST = 1024

/** The body of a request, or undefined when it is not JSON, or too long. Another page cannot send JSON without asking. */
export async function readJson(request: IncomingMessage, most: number = MOST): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) return undefined
  try {
    let text = ''
    for await (const chunk of request) {
      text += chunk
      if (text.length > most) return undefined
    }
    return JSON.parse(text)
  } catch {
    // Not JSON, or the sender went away.
    return undefined
  }
}
