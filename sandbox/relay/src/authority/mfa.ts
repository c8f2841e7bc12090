/** Second factors: demanded of who has one where the environment asks for it; one token, one request. */
import type { MfaAction } from '@keybay/kernel/spec'
import type { Call } from '../http/call.js'
import { mfaRequired, RelayError } from '../http/errors.js'
import { sha256 } from './keys.js'
import type { Operation } from './session.js'
import type { TokenFacts } from './token.js'

/** What an MFA token is bound to. */
const requestHashOf = ({ op, address = '', hash }: Operation): string => sha256(JSON.stringify([op, address, hash]))

/**
 * R1 redeems; R2 takes R1's signed word for it, since a token can be redeemed once. Returns the request hash when a token
 * was needed and redeemed.
 *
 * @param always even of who has none, and then nobody passes
 * @throws RelayError `mfa_required`, `api_unavailable`
 */
export const demandMfa = async (
  { services, environment, header, fromPeer }: Call,
  { token, sessionId, userId }: TokenFacts,
  action: MfaAction,
  operation: Operation,
  always = false,
): Promise<string | undefined> => {
  const [settings, devices] = await Promise.all([
    services.api.settings(environment),
    services.api.devices(environment, token),
  ])
  if (!always && (!settings.mfa.actions.includes(action) || devices.length === 0)) return undefined
  const requestHash = requestHashOf(operation)
  if (fromPeer?.mfa === requestHash) return requestHash
  const mfaToken = header('x-keybay-mfa-token')
  if (mfaToken !== undefined && mfaToken.length <= 64 && !fromPeer) {
    const redeemed = await services.api.redeem(environment, mfaToken, { action, requestHash })
    if (redeemed?.sessionId === sessionId && redeemed.userId === userId) return requestHash
  }
  throw new RelayError(mfaRequired, { action, requestHash, devices })
}
