/** Second factors at the product API: what the person enters goes there from here, and the page never has it. */
import { aborted, KeybayError } from '@keybay/kernel'
import { MFA_METHODS, type MfaAction, type MfaMethod } from '@keybay/kernel/spec'
import * as v from 'valibot'
import type { FrameConfiguration } from '../boot/configuration.js'
import { apiAnswerWrong, apiUnreachable } from '../errors.js'
import { type Answer, errorSchema } from '../relay/answers.js'

const id = v.pipe(v.string(), v.maxLength(64), v.regex(/^[\w-]+$/))
export interface FactorDevice {
  readonly id: string
  readonly method: MfaMethod
  readonly name: string
}
const deviceSchema: Answer<FactorDevice> = v.object({
  id,
  method: v.picklist(MFA_METHODS),
  name: v.pipe(v.string(), v.maxLength(256)),
})
const questionSchema = v.object({ id, devices: v.pipe(v.array(deviceSchema), v.maxLength(100)), demanded: v.boolean() })
const challengeSchema = v.object({ challengeId: id })
const tokenSchema = v.object({ mfaToken: v.pipe(v.string(), v.minLength(1), v.maxLength(64)) })

export interface FactorRequest {
  readonly token: string
  /** The session key's word that this frame may ask, once, for this request. */
  readonly statement: string
  readonly action: MfaAction
  readonly requestHash: string
  readonly signal?: AbortSignal | undefined
}
/** One answer of the person. A secret. */
export type Entered = { readonly code: string } | { readonly recoveryCode: string }
export interface FactorQuestion {
  /** Whether the person has to answer, as the environment is set. */
  readonly demanded: boolean
  readonly devices: readonly FactorDevice[]
  /** Sends the code of an email. @returns the challenge's id */
  challenge(deviceId?: string): Promise<string>
  /** @returns an MFA token, for this one request */
  answer(challengeId: string, entered: Entered): Promise<string>
}
/** @throws KeybayError what the API says, with its code; `frame_api_unreachable`, `frame_api_answer_wrong`, `aborted` */
export type OpenFactor = (request: FactorRequest) => Promise<FactorQuestion>

export const createFactors =
  ({ baseApiUrl, environmentId }: FrameConfiguration, fetch: typeof globalThis.fetch): OpenFactor =>
  async ({ token, statement, action, requestHash, signal }) => {
    const base = `${baseApiUrl.replace(/\/$/, '')}/sdk/${environmentId}/mfa/frame`
    const post = async <T>(path: string, body: object, schema: Answer<T>): Promise<T> => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      const safe = { credentials: 'omit', redirect: 'error', cache: 'no-store' } as const
      const init = { ...safe, method: 'POST', headers, body: JSON.stringify(body), ...(signal && { signal }) }
      let response: Response
      let value: unknown
      try {
        response = await fetch(base + path, init)
        value = await response.json()
      } catch {
        throw new KeybayError(signal?.aborted ? aborted : apiUnreachable)
      }
      if (!response.ok) {
        const { success, output } = v.safeParse(errorSchema, value)
        if (!success) throw new KeybayError(apiUnreachable)
        throw new KeybayError({ code: output.code, message: output.message }, { status: response.status })
      }
      const { success, output } = v.safeParse(schema, value)
      if (!success) throw new KeybayError(apiAnswerWrong)
      return output
    }
    const question = await post('', { statement, action, requestHash }, questionSchema)
    return {
      demanded: question.demanded,
      // A passkey belongs to the page's domain, and cannot be asked for here.
      devices: question.devices.filter(({ method }) => method !== 'passkey'),
      challenge: async deviceId =>
        (await post(`/${question.id}/challenges`, { ...(deviceId !== undefined && { deviceId }) }, challengeSchema))
          .challengeId,
      answer: async (challengeId, entered) =>
        (await post(`/${question.id}/answer`, { challengeId, ...entered }, tokenSchema)).mfaToken,
    }
  }
