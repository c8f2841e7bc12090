/**
 * Route: its schemas, access and handler. The definition validates requests, types the handler and generates OpenAPI.
 */
import { createParser } from '@keybay/sandbox-service/http'
import * as v from 'valibot'
import type { DeviceSignature } from '../authority/device.js'
import type { ProvedFactor } from '../authority/mfa.js'
import type { TokenFacts } from '../authority/session.js'
import type { Environment } from '../environments.js'
import type { Services } from '../services.js'
import { RelayError, type RelayErrorCode } from './errors.js'

export type Schema = v.GenericSchema
/**
 * `public`: any caller. `session`: token and session signature. `device`: a device signature too. Handlers check them.
 */
export type Access = 'public' | 'session' | 'device'

/** Maximum bytes of a body. Ceremonies need less than 2 KiB. */
export const BODY_BYTES = 8 * 1024
/** Maximum bytes of a body with a message, typed data, a PSBT or a policy. */
export const LARGE_BODY_BYTES = 128 * 1024

export interface RouteFacts {
  readonly method: 'GET' | 'POST'
  /** Path below `/api/v0/sdk/{environmentId}`, parameters in braces. */
  readonly path: string
  readonly summary: string
  readonly access: Access
  /** True where a registered server may come without a user, with a device signature alone. */
  readonly delegates: boolean
  /** Maximum bytes of the body. */
  readonly bodyLimit: number
  readonly params: Schema | undefined
  readonly body: Schema | undefined
  readonly answer: Schema
  readonly errors: readonly RelayErrorCode[]
}
export interface Route extends RouteFacts {
  /** @throws RelayError */
  run(call: Call, params: Readonly<Record<string, string>>, body: unknown): Promise<unknown>
}

const nothing = v.object({})
export const parse = createParser(details => new RelayError('invalid_request', details))

export function route<
  P extends Schema = typeof nothing,
  B extends Schema = typeof nothing,
  R extends Schema = Schema,
>(definition: {
  readonly path: string
  readonly summary: string
  /** Default: POST. */
  readonly method?: RouteFacts['method']
  /** Default: device. */
  readonly access?: Access
  /** Default: false. */
  readonly delegates?: boolean
  /** Default: {@link BODY_BYTES}. */
  readonly bodyLimit?: number
  readonly params?: P
  readonly body?: B
  readonly answer: R
  readonly errors?: RouteFacts['errors']
  readonly run: (
    call: Call,
    input: { readonly params: v.InferOutput<P>; readonly body: v.InferOutput<B> },
  ) => Promise<v.InferInput<R>>
}): Route {
  const {
    method = 'POST',
    access = 'device',
    bodyLimit = BODY_BYTES,
    delegates = false,
    params,
    body,
    errors = [],
    run,
    ...facts
  } = definition
  return {
    ...facts,
    method,
    access,
    delegates,
    bodyLimit,
    params,
    body,
    errors,
    run: async (call, rawParams, rawBody) =>
      run(call, {
        params: parse('path', params ?? nothing, rawParams),
        body: parse('body', body ?? nothing, body ? rawBody : {}),
      }),
  }
}

/** Data that R1 adds when it forwards a request to R2. */
export interface FromPeer {
  /** API receipt for an MFA token that R1 redeemed. */
  readonly mfa?: string | undefined
  /** Messages of R1, depending on the route. */
  readonly extra: unknown
}

/**
 * Results of checks that several steps of a request need. They are part of the request: a WeakMap keeps its values until
 * the next full garbage collection, which then comes more often.
 */
export interface Checked {
  token?: Promise<TokenFacts>
  device?: DeviceSignature
  factor?: ProvedFactor
}

/** Request without its body. */
export type Head = Omit<Call, 'rawBody'>

export interface Call {
  readonly services: Services
  readonly environment: Environment
  /** Path as the frame requested it, below `/sdk/{environmentId}`. */
  readonly path: string
  readonly rawBody: string
  /** ID of the request in the log. */
  readonly requestId: string
  header(name: string): string | undefined
  /** Always present at R2; absent at R1. */
  readonly fromPeer: FromPeer | undefined
  readonly checked: Checked
  /** Adds fields to the request's log line. */
  note(fields: Readonly<Record<string, string>>): void
}
