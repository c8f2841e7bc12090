/**
 * Route: its schemas, access and handler. The definition validates requests, types the handler and generates OpenAPI.
 */
import type { ErrorSpec } from '@keybay/kernel/spec'
import { createParser } from '@keybay/sandbox-service/http'
import * as v from 'valibot'
import type { Call } from './call.js'
import { invalidRequest, RelayError, type RelayErrorCode } from './errors.js'

export type Schema = v.GenericSchema
/**
 * `public`: any caller. `session`: token and session signature.
 * `device`: a device signature too. Handlers check them.
 */
export type Access = 'public' | 'session' | 'device'

export interface RouteFacts {
  readonly method: 'GET' | 'POST'
  /** Path below `/api/v0/sdk/{environmentId}`, parameters in braces. */
  readonly path: string
  readonly summary: string
  readonly access: Access
  readonly params: Schema | undefined
  readonly body: Schema | undefined
  readonly answer: Schema
  readonly errors: readonly ErrorSpec<RelayErrorCode>[]
}
export interface Route extends RouteFacts {
  /** @throws RelayError */
  run(call: Call, params: Readonly<Record<string, string>>, body: unknown): Promise<unknown>
}

const nothing = v.object({})
export const parse = createParser(details => new RelayError(invalidRequest, details))

export function route<P extends Schema = typeof nothing, B extends Schema = typeof nothing, R extends Schema = Schema>(
  definition: Pick<RouteFacts, 'path' | 'summary' | 'access'> & {
    readonly method?: RouteFacts['method']
    readonly params?: P
    readonly body?: B
    readonly answer: R
    readonly errors?: RouteFacts['errors']
  },
  handle: (
    call: Call,
    input: { readonly params: v.InferOutput<P>; readonly body: v.InferOutput<B> },
  ) => Promise<v.InferInput<R>>,
): Route {
  const { method = 'POST', params, body, errors = [] } = definition
  return {
    ...definition,
    method,
    params,
    body,
    errors,
    run: async (call, rawParams, rawBody) =>
      handle(call, {
        params: parse('path', params ?? nothing, rawParams),
        body: parse('body', body ?? nothing, body ? rawBody : {}),
      }),
  }
}
