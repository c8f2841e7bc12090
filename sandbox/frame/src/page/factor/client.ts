/** Second factors at the product API. The frame sends the user's input there directly, so the page never has it. */
import { aborted, KeybayError, MFA_METHODS, type MfaAction } from '@keybay/kernel/spec'
import { type Answer, errorSchema } from '@keybay/waas/relay-client'
import * as v from 'valibot'
import type { FrameConfiguration } from '../../configuration/frame.js'
import type { ApiFetch } from '../core/api-fetch.js'
import { frameError } from '../errors/errors.js'
import type { PasskeyOptions } from './passkey.js'

const id = v.pipe(v.string(), v.maxLength(64), v.regex(/^[\w-]+$/))
const deviceSchema = v.object({ id, method: v.picklist(MFA_METHODS), name: v.pipe(v.string(), v.maxLength(256)) })
export type FactorDevice = v.InferOutput<typeof deviceSchema>
const questionSchema = v.object({
  id,
  devices: v.pipe(v.array(deviceSchema), v.maxLength(100)),
  demanded: v.boolean(),
  passkey: v.boolean(),
})
const options: Answer<PasskeyOptions> = v.record(v.string(), v.unknown())
const challengeSchema = v.object({ challengeId: id, options: v.optional(options) })
const newPasskeySchema = v.object({ challengeId: id, options })
const keptSchema = v.object({ enrolmentId: v.optional(id) })
const tokenSchema = v.object({
  mfaToken: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  enrolment: v.optional(id),
})

export interface FactorRequest {
  readonly user: string
  readonly token: string
  /** Statement of the session key that allows this frame to request a second factor once, for this request. */
  readonly statement: string
  readonly action: MfaAction
  readonly requestHash: string
  readonly signal?: AbortSignal | undefined
}
/** Factor that the user entered. Secret. */
export type Entered =
  | { readonly code: string }
  | { readonly recoveryCode: string }
  | { readonly passkey: PasskeyOptions }
export interface FactorChallenge {
  readonly challengeId: string
  readonly options?: PasskeyOptions | undefined
}
export interface FactorQuestion {
  readonly demanded: boolean
  readonly devices: readonly FactorDevice[]
  /** True if the user has a device or a passkey of the page. */
  readonly hasFactor: boolean
  /** True if the user has a passkey of this frame. */
  readonly passkey: boolean
  /** Starts a challenge: emails a code, or makes the options of this frame's passkey. No `way`: a recovery code. */
  challenge(way?: { readonly deviceId: string } | { readonly passkey: true }): Promise<FactorChallenge>
  /**
   * Verifies the user's input.
   * @returns an MFA token for this one request, and `enrolment` if the user may now create a passkey of this frame
   */
  answer(
    challengeId: string,
    entered: Entered,
  ): Promise<{ readonly mfaToken: string; readonly enrolment?: string | undefined }>
  /** @param by the ID of an earlier enrolment; if undefined, the page's passkey must confirm the new one */
  newPasskey(by?: string): Promise<{ readonly challengeId: string; readonly options: PasskeyOptions }>
  /** @returns the ID of an enrolment that waits for the page's passkey */
  keepPasskey(challengeId: string, response: PasskeyOptions, by?: string): Promise<string | undefined>
}
/** @throws KeybayError with the API's code; `frame_api_unreachable`, `frame_api_answer_wrong`, `aborted` */
export type OpenFactor = (request: FactorRequest) => Promise<FactorQuestion>

export function createFactors({ baseApiUrl, environmentId }: FrameConfiguration, fetch: ApiFetch): OpenFactor {
  return async ({ user, token, statement, action, requestHash, signal }) => {
    const base = `${baseApiUrl.replace(/\/$/, '')}/sdk/${environmentId}/mfa/frame`
    const post = async <T>(path: string, body: object | undefined, schema: Answer<T>): Promise<T> => {
      const json = body && { 'content-type': 'application/json' }
      const headers = { ...json, authorization: `Bearer ${token}` }
      const safe = { credentials: 'omit', redirect: 'error', cache: 'no-store' } as const
      const init = {
        ...safe,
        method: 'POST',
        headers,
        ...(body && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      }
      let response: Response
      let value: unknown
      try {
        response = await fetch(user, base + path, init)
        value = await response.json()
      } catch {
        throw signal?.aborted ? new KeybayError(aborted) : frameError('frame_api_unreachable')
      }
      if (!response.ok) {
        const { success, output } = v.safeParse(errorSchema, value)
        if (!success) throw frameError('frame_api_unreachable')
        throw new KeybayError({ code: output.code, message: output.message }, { status: response.status })
      }
      const { success, output } = v.safeParse(schema, value)
      if (!success) throw frameError('frame_api_answer_wrong')
      return output
    }
    const question = await post('', { statement, action, requestHash }, questionSchema)
    return {
      demanded: question.demanded,
      passkey: question.passkey,
      hasFactor: question.devices.length > 0,
      // These passkeys belong to the page's domain, so this frame cannot use them.
      devices: question.devices.filter(({ method }) => method !== 'passkey'),
      challenge: way => post(`/${question.id}/challenges`, { ...way }, challengeSchema),
      answer: (challengeId, entered) => post(`/${question.id}/answer`, { challengeId, ...entered }, tokenSchema),
      newPasskey: (by = question.id) => post(`/${by}/passkeys/options`, undefined, newPasskeySchema),
      keepPasskey: async (challengeId, response, by = question.id) =>
        (await post(`/${by}/passkeys`, { challengeId, response }, keptSchema)).enrolmentId,
    }
  }
}
