/** Prompts for the second factor until the user's response is correct. */
import type { ConnectContext } from '@keybay/kernel'
import type { MfaAction } from '@keybay/kernel/spec'
import { KeybayError, toKeybayError, userRejected } from '@keybay/kernel/spec'
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import type { Challenge } from './parse/mfa.js'
import type { MfaAnswer, Proved } from './prompts.js'
import type { MfaDevice } from './user.js'

export type Ask = ConnectContext['prompt']
/** Has the browser sign with a passkey. @throws KeybayError `webauthn_unsupported`, `user_rejected` */
export type Authenticate = (options: PublicKeyCredentialRequestOptionsJSON | undefined) => Promise<unknown>

export interface Factor<T> {
  readonly action: 'sign-in' | MfaAction
  readonly devices: readonly MfaDevice[]
  /** Omit the device to use a recovery code. */
  begin(deviceId: string | undefined): Promise<Challenge>
  finish(challengeId: string, answer: Readonly<Record<string, unknown>>): Promise<T>
}

export async function askFactor<T>(
  ask: Ask,
  authenticate: Authenticate,
  { action, devices, begin, finish }: Factor<T>,
): Promise<T> {
  const challenges = new Map<string | undefined, Promise<Challenge>>()
  const renew = (deviceId: string | undefined) => {
    const begun = begin(deviceId)
    challenges.set(deviceId, begun)
    begun.catch(() => challenges.delete(deviceId)) // The next attempt begins again.
    return begun
  }
  const getBody = async (answer: MfaAnswer, { options }: Challenge) => {
    if ('passkey' in answer) return { passkey: await authenticate(options) }
    return 'recoveryCode' in answer ? { recoveryCode: answer.recoveryCode } : { code: answer.code }
  }
  /** Keeps proofs out of the page's hands: the prompt receives a handle instead. */
  const tickets = new WeakMap<Proved, { readonly value: T }>()
  const ticket = await ask({
    type: 'mfa',
    action,
    devices,
    challenge: async deviceId => (await renew(deviceId)).expiresAt,
    async submit(answer) {
      const deviceId = 'deviceId' in answer ? answer.deviceId : undefined
      const challenge = await (challenges.get(deviceId) ?? renew(deviceId))
      try {
        const value = await finish(challenge.challengeId, await getBody(answer, challenge))
        const proved: Proved = {}
        tickets.set(proved, { value })
        return proved
      } catch (thrown) {
        const error = toKeybayError(thrown)
        if (error.code === 'too_many_verification_attempts') challenges.delete(deviceId)
        throw error
      }
    },
  })
  const result = tickets.get(ticket)
  if (!result) throw new KeybayError(userRejected)
  return result.value
}
