/** A user's second factor: a phone that makes codes (RFC 6238), and the MFA tokens that the codes yield. */
import { totpAt } from '@keybay/sandbox-tools/testing/totp'
import type { Person, World } from './world.js'

export interface Factor {
  readonly deviceId: string
  readonly secret: string
}
interface Demand {
  readonly action: string
  readonly requestHash: string
}

export async function enrol(world: World, { kit }: Person): Promise<Factor> {
  const { body } = await kit.call('/mfa/devices', { body: { method: 'totp', name: 'Phone' } })
  const code = totpAt(body.totp.secret, world.api.api.clock.now())
  await kit.call(`/mfa/devices/${body.device.id}/confirm`, { body: { challengeId: body.challenge.challengeId, code } })
  // A code works once, so move on to the next code.
  world.advance(30_000)
  return { deviceId: body.device.id, secret: body.totp.secret }
}

export async function tokenFor(
  world: World,
  { kit }: Person,
  { action, requestHash }: Demand,
  { deviceId, secret }: Factor,
): Promise<string> {
  const begun = await kit.call('/mfa/challenges', { body: { action, requestHash, deviceId } })
  const code = totpAt(secret, world.api.api.clock.now())
  const { body } = await kit.call(`/mfa/challenges/${begun.body.challengeId}`, { body: { code } })
  world.advance(30_000)
  return body.mfaToken
}
