/** Reads a request body up to a limit, as JSON, and accepts only values that a database can store. */

/** The service's own errors. */
export interface BodyErrors {
  payloadTooLarge(): Error
  jsonNeeded(): Error
  invalidRequest(details: { readonly reason: string }): Error
}

export interface BodyReader {
  /**
   * Reads the body's text, at most `most` bytes. With a content length, Node's parser reads exactly that many, so the
   * body is read at once; counting with a web stream costs more than the rest of a small request.
   * @throws `payloadTooLarge` or `invalidRequest`
   */
  readBody(request: Request, most: number): Promise<string>
  /**
   * Parses the body as JSON. Only `application/json`: a form on a foreign page can send other types without a preflight
   * (CSRF).
   * @throws `jsonNeeded` or `invalidRequest`
   */
  parseBody(text: string, contentType: string | null): unknown
}

export function bodyReader(errors: BodyErrors): BodyReader {
  const readStream = async ({ body }: Request, most: number): Promise<Uint8Array> => {
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of body ?? []) {
      size += part.length
      if (size > most) throw errors.payloadTooLarge()
      parts.push(part)
    }
    return Buffer.concat(parts)
  }

  /** @param most limit of a body without a content length */
  const readBytes = async (request: Request, most: number | undefined): Promise<Uint8Array> => {
    try {
      return most === undefined ? new Uint8Array(await request.arrayBuffer()) : await readStream(request, most)
    } catch (error) {
      // Node's error of a client that left or was too slow, which is no failure of the service.
      throw isAborted(error) ? errors.invalidRequest({ reason: 'The body ended early.' }) : error
    }
  }

  return {
    readBody: async (request, most) => {
      if (request.method === 'GET' || request.method === 'HEAD') return ''
      const announced = request.headers.get('content-length')
      if (Number(announced ?? 0) > most) throw errors.payloadTooLarge()
      if (announced === null && request.headers.get('transfer-encoding') === null) return ''
      const bytes = await readBytes(request, announced === null ? most : undefined)
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
      } catch {
        throw errors.invalidRequest({ reason: 'The body is not UTF-8.' })
      }
    },
    parseBody: (text, contentType) => {
      if (text === '') return undefined
      if (!/^application\/json\s*(;|$)/i.test(contentType ?? '')) throw errors.jsonNeeded()
      let value: unknown
      try {
        value = JSON.parse(text)
      } catch {
        throw errors.invalidRequest({ reason: 'The body is not JSON.' })
      }
      if (!isStorable(value)) throw errors.invalidRequest({ reason: 'The body has text or depth that is not allowed.' })
      return value
    },
  }
}

function isAborted(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
}

const MAX_DEPTH = 32
/** Far above the longest legal body, a policy of 64 programs with 64 instructions each. */
const MAX_VALUES = 8_192

/** Returns false for values that PostgreSQL cannot store (NUL, lone surrogates), and for too many or too deep values. */
export function isStorable(value: unknown): boolean {
  let left = MAX_VALUES
  const isAllowed = (item: unknown, depth: number): boolean => {
    left -= 1
    if (left < 0 || depth > MAX_DEPTH) return false
    if (typeof item === 'string') return isText(item)
    if (typeof item !== 'object' || item === null) return true
    if (Array.isArray(item)) return item.every(part => isAllowed(part, depth + 1))
    for (const key in item) if (!isText(key) || !isAllowed(Reflect.get(item, key), depth + 1)) return false
    return true
  }
  return isAllowed(value, 0)
}

function isText(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text)
}
