/** Defines routes. A definition checks requests, types the handler and produces the OpenAPI document. */
import { type ErrorSpec, invalidSessionPublicKey, type MfaAction } from '@keybay/kernel/spec'
import { createParser } from '@keybay/sandbox-service/http'
import * as v from 'valibot'
import type { ApiTokenScope } from '../security/api-token-scopes.js'
import type { Access, AccessFacts, ActiveSession, Call } from './call.js'
import {
  ApiError,
  type ApiErrorCode,
  forbidden,
  invalidProof,
  invalidRequest,
  mfaRequired,
  originNotAllowed,
  sessionExpired,
  unauthorized,
} from './errors.js'

export type Schema = v.GenericSchema

export interface RouteFacts {
  readonly method: string
  /** Path below `/api/v0/sdk/{environmentId}`, with parameters in braces. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly access: Access
  /** Action that requires a second factor from users who have one. */
  readonly mfa?: MfaAction
  /** Scope that an API token needs. A route without one refuses every API token. */
  readonly scope?: ApiTokenScope
  /** Allows calls while a verification step is missing. */
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
  run(call: Call, input: RawInput, gates: RouteGates): Promise<unknown>
}

/** Request of a route, as far as it decides what the route demands. */
export interface Operation extends Pick<RouteFacts, 'method' | 'path' | 'mfa'> {
  readonly params: Readonly<Record<string, unknown>>
}

/** Checks that run before a handler. Routes receive them from the app, the layer above. */
export interface RouteGates {
  authenticate<A extends Access>(access: A, call: Call, unfinished: boolean): Promise<AccessFacts[A]>
  /** Requires what the operation demands of the session beyond its access. */
  authorize(call: Call, session: ActiveSession, operation: Operation): Promise<void>
}

const nothing = v.object({})
const parse = createParser(details => new ApiError(invalidRequest, details))

/** Errors that each kind of access can raise; a route lists only its own. */
const ACCESS_ERRORS: { readonly [A in Access]: readonly ErrorSpec<ApiErrorCode>[] } = {
  public: [],
  key: [invalidSessionPublicKey, invalidProof],
  proof: [invalidSessionPublicKey, invalidProof],
  bearer: [unauthorized, sessionExpired],
  token: [unauthorized, sessionExpired],
  session: [unauthorized, sessionExpired, invalidProof],
  frame: [unauthorized, sessionExpired, originNotAllowed],
  'frame-key': [unauthorized, sessionExpired, originNotAllowed, invalidProof, invalidSessionPublicKey],
  'api-token': [unauthorized, forbidden],
  operator: [unauthorized, forbidden],
}

interface Definition<A extends Access, P extends Schema, Q extends Schema, B extends Schema, R extends Schema>
  extends Pick<RouteFacts, 'summary' | 'mfa' | 'scope' | 'unfinished'>,
    Partial<Pick<RouteFacts, 'status' | 'errors'>> {
  readonly access: A
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly answer?: R
  run(
    call: Call &
      AccessFacts[A] & {
        readonly params: v.InferOutput<P>
        readonly query: v.InferOutput<Q>
        readonly body: v.InferOutput<B>
      },
  ): Promise<v.InferInput<R>>
}

/**
 * Returns a function that defines a route with this tag. Without `answer` a route responds with 204.
 *
 * @example
 * const route = routesOf('session')
 * route('GET /sessions', { summary: 'The sessions of the user.', access: 'bearer', answer: …, run: async call => … })
 */
export function routesOf(tag: string) {
  return <
    const A extends Access,
    P extends Schema = typeof nothing,
    Q extends Schema = typeof nothing,
    B extends Schema = typeof nothing,
    R extends Schema = v.GenericSchema<void>,
  >(
    address: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`,
    definition: Definition<A, P, Q, B, R>,
  ): Route => {
    const { params, query, body, answer, access, mfa, scope, status = answer ? 200 : 204, errors = [] } = definition
    const [method = '', path = ''] = address.split(' ')
    return {
      ...{ method, path, tag, summary: definition.summary, access, status, params, query, body, answer },
      ...(mfa && { mfa }),
      ...(scope && { scope }),
      errors: [...ACCESS_ERRORS[access], ...errors, ...(mfa ? [mfaRequired] : [])],
      async run(call, input, { authenticate, authorize }) {
        const facts = await authenticate(access, call, definition.unfinished ?? false)
        if ('scopes' in facts && !(scope && facts.scopes.includes(scope))) throw new ApiError(forbidden, { scope })
        const parsed = {
          params: parse('path', params ?? nothing, input.params),
          query: parse('query', query ?? nothing, input.query),
          body: parse('body', body ?? nothing, body ? input.body : {}),
        }
        const operation = { method, path, mfa, params: { ...input.params } }
        if ('session' in facts) await authorize(call, facts.session, operation)
        // Into the call itself, because V8 makes a new hidden class for each copy that gets more properties.
        return definition.run(Object.assign(call, facts, parsed))
      },
    }
  }
}
