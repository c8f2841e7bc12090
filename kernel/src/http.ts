/** JSON over HTTP with the session's token (S7.2). A subpath, so that a host without an API does not pay for it. */
import { apiHeaders, credentialsOf } from './api-headers.js'
import type { Kernel } from './kernel.js'
import { KeybayError, requestFailed } from './spec/errors.js'
import { field } from './spec/shape.js'

export interface HttpRequest {
  /** Default: GET, or POST with a body. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Sent as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Sends no bearer token, for the calls that create one. */
  readonly anonymous?: boolean
}
/**
 * Returns the response's JSON; the caller checks its shape. It has no time-out (S9.10): pass a signal.
 *
 * @throws KeybayError with the server's code and message, or `request_failed` without them
 */
export type Http = (path: string, request?: HttpRequest) => Promise<unknown>

/** A hostile server's message may be of any length. */
const MAX_MESSAGE_LENGTH = 500

function parse(text: string): unknown {
  try {
    return text ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the API's refusal of this page's origin, if that is why a request failed. Browsers show a page nothing of a
 * failed preflight, but they do show the response to a plain request, which needs none.
 */
async function findRefusal(url: string, signal?: AbortSignal): Promise<KeybayError | undefined> {
  try {
    const response = await fetch(url, { credentials: 'omit', ...(signal && { signal }) })
    const error = createError(response, parse(await response.text()))
    return error.code === 'origin_not_allowed' ? error : undefined
  } catch {
    return undefined
  }
}

function createError({ status }: Response, data: unknown): KeybayError {
  const [code, message] = [field(data, 'code'), field(data, 'message')]
  return new KeybayError(
    {
      code: typeof code === 'string' && code ? code : requestFailed.code,
      message: typeof message === 'string' && message ? message.slice(0, MAX_MESSAGE_LENGTH) : requestFailed.message,
    },
    { status, details: field(data, 'details') },
  )
}

/** @example const http = createHttp(kernel); await http(`/sdk/${environmentId}/settings`) */
export function createHttp({ config, session }: Pick<Kernel, 'config' | 'session'>): Http {
  const base = config.baseApiUrl?.replace(/\/$/, '')
  /** The page could read a response, so its origin is not refused. */
  let isAllowed = false
  return async (path, request = {}) => {
    if (!base) throw new KeybayError(requestFailed, { detail: 'baseApiUrl not set' })
    const { body, signal, anonymous, method = body === undefined ? 'GET' : 'POST' } = request
    const bearer = anonymous ? undefined : await session.bearer()
    let response: Response
    let text: string
    try {
      response = await fetch(base + path, {
        method,
        headers: {
          accept: 'application/json',
          ...apiHeaders(bearer),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...request.headers,
        },
        credentials: credentialsOf(config),
        ...(signal && { signal }),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      text = await response.text()
      isAllowed = true
    } catch (cause) {
      signal?.throwIfAborted()
      const refusal = isAllowed ? undefined : await findRefusal(base + path, signal)
      signal?.throwIfAborted()
      throw refusal ?? new KeybayError(requestFailed, { cause })
    }
    const data = parse(text)
    if (response.ok) return data
    throw createError(response, data)
  }
}
