import { ApiError, invalidRequest, jsonNeeded, payloadTooLarge } from './errors.js'

/** The body's text, read no further than `most` bytes. @throws ApiError `payload_too_large` or `invalid_request` */
export const readBody = async (request: Request, most: number): Promise<string> => {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > most) throw new ApiError(payloadTooLarge)
  if (!request.body) return ''
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body) {
    size += part.length
    if (size > most) throw new ApiError(payloadTooLarge)
    parts.push(part)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(parts))
  } catch {
    throw new ApiError(invalidRequest, { reason: 'The body is not UTF-8.' })
  }
}

/**
 * The body as JSON. Only `application/json`: a form of a foreign page can send other types without asking (CSRF).
 *
 * @throws ApiError `unsupported_media_type` or `invalid_request`
 */
export const parseBody = (text: string, contentType: string | null): unknown => {
  if (text === '') return undefined
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? '')) throw new ApiError(jsonNeeded)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ApiError(invalidRequest, { reason: 'The body is not JSON.' })
  }
  if (!isStorable(value))
    throw new ApiError(invalidRequest, { reason: 'The body has text or depth that is not allowed.' })
  return value
}

const DEEPEST = 32

/** PostgreSQL keeps neither NUL nor half a surrogate pair, and nothing that we take is deep. */
export const isStorable = (value: unknown): boolean => {
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next
    if (depth > DEEPEST) return false
    if (typeof value === 'string' && /[\0\p{Surrogate}]/u.test(value)) return false
    if (typeof value !== 'object' || value === null) continue
    for (const [key, item] of Object.entries(value)) {
      waiting.push({ value: key, depth }, { value: item, depth: depth + 1 })
    }
  }
  return true
}
