/** A route: its schemas, who may call it and what it does. The same definition checks requests, types the handler and makes the OpenAPI document. */
import type { ErrorSpec } from '@keybay/kernel/spec'
import * as v from 'valibot'
import type { Call } from './call.js'
import { invalidRequest, RelayError, type RelayErrorCode } from './errors.js'

export type Schema = v.GenericSchema
/** `public`: anybody. `session`: token and session signature. `device`: and a device signature. The handlers demand it. */
export type Access = 'public' | 'session' | 'device'

export interface RouteFacts {
  readonly method: 'GET' | 'POST'
  /** Below `/api/v0/sdk/{environmentId}`, parameters in braces. */
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

const MOST_ISSUES = 10

export function parse<S extends Schema>(where: string, schema: S, value: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  const issues = result.issues.slice(0, MOST_ISSUES).map(issue => ({
    field: [where, v.getDotPath(issue)].filter(part => part !== null).join('.'),
    // Valibot's message quotes what came; a secret in the wrong field must not come back.
    expected: issue.expected ?? issue.type,
  }))
  throw new RelayError(invalidRequest, { issues })
}
