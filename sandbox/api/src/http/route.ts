/**
 * A route: its schemas, who may call it and what it does, in one place. The same definition checks requests, types the
 * handler and makes the OpenAPI document.
 */
import type { ErrorSpec, MfaAction } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { demandMfa } from '../mfa/demand.js'
import { type AccessFacts, authenticate } from '../security/access.js'
import type { Call } from './call.js'
import { ApiError, type ApiErrorCode, invalidRequest } from './errors.js'

export type Schema = v.GenericSchema
export type Access = keyof AccessFacts
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface RouteFacts {
  readonly method: Method
  /** Below `/api/v0/sdk/{environmentId}`, parameters in braces. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly access: Access
  /** Demanded of whoever has a second factor. */
  readonly mfa?: MfaAction
  /** May be called while a verification step is missing. */
  readonly unfinished?: boolean
  readonly status: 200 | 201 | 202 | 204
  readonly params: Schema | undefined
  readonly query: Schema | undefined
  readonly body: Schema | undefined
  readonly answer: Schema | undefined
  readonly errors: readonly ErrorSpec<ApiErrorCode>[]
}

export interface RawInput {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface Route extends RouteFacts {
  /** @throws ApiError */
  run(call: Call, input: RawInput): Promise<unknown>
}

const nothing = v.object({})

type Definition<A extends Access, P extends Schema, Q extends Schema, B extends Schema, R extends Schema> = Pick<
  RouteFacts,
  'method' | 'path' | 'tag' | 'summary' | 'mfa' | 'unfinished'
> & {
  readonly access: A
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly answer?: R
  readonly status?: RouteFacts['status']
  readonly errors?: RouteFacts['errors']
}

/**
 * Defines a route. Without `answer` it answers 204.
 *
 * @example
 * route({ method: 'GET', path: '/sessions', tag: 'session', summary: 'The sessions of the user.', access: 'bearer',
 *   answer: v.object({ sessions: v.array(session) }) }, async ({ services, session }) => …)
 */
export function route<
  const A extends Access,
  P extends Schema = typeof nothing,
  Q extends Schema = typeof nothing,
  B extends Schema = typeof nothing,
  R extends Schema = v.GenericSchema<void>,
>(
  definition: Definition<A, P, Q, B, R>,
  handle: (
    call: Call &
      AccessFacts[A] & {
        readonly params: v.InferOutput<P>
        readonly query: v.InferOutput<Q>
        readonly body: v.InferOutput<B>
      },
  ) => Promise<v.InferInput<R>>,
): Route {
  const { params, query, body, answer, access, mfa } = definition
  return {
    ...definition,
    params,
    query,
    body,
    answer,
    status: definition.status ?? (answer ? 200 : 204),
    errors: definition.errors ?? [],
    async run(call, input) {
      const facts = await authenticate(access, call, definition.unfinished ?? false)
      const parsed = {
        params: parse('path', params ?? nothing, input.params),
        query: parse('query', query ?? nothing, input.query),
        body: parse('body', body ?? nothing, body ? input.body : {}),
      }
      if (mfa !== undefined && 'session' in facts) await demandMfa(call, facts.session, mfa)
      return handle({ ...call, ...facts, ...parsed })
    },
  }
}

const MOST_ISSUES = 10

function parse<S extends Schema>(where: string, schema: S, value: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  const issues = result.issues.slice(0, MOST_ISSUES).map(issue => ({
    field: [where, v.getDotPath(issue)].filter(part => part !== null).join('.'),
    // Valibot's message quotes what came; a secret in the wrong field must not come back.
    expected: issue.expected ?? issue.type,
  }))
  throw new ApiError(invalidRequest, { issues })
}
