/** A person's second factor: a phone that makes codes (RFC 6238), and the tokens that they buy. */
import { createHmac } from 'node:crypto'
import type { Person, World } from './world.js'

export interface Factor {
  readonly deviceId: string
  readonly secret: string
}
interface Demand {
  readonly action: string
  readonly requestHash: string
}

const totp = (secret: string, now: number): string => {
  const bits = [...secret].map(letter =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const key = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeUInt32BE(Math.floor(now / 30_000), 4)
  const hash = createHmac('sha1', key).update(counter).digest()
  return String((hash.readUInt32BE((hash[19] ?? 0) & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

export const enrol = async (world: World, { kit }: Person): Promise<Factor> => {
  const { body } = await kit.call('/mfa/devices', { body: { method: 'totp', name: 'Phone' } })
  const code = totp(body.totp.secret, world.api.api.clock.now())
  await kit.call(`/mfa/devices/${body.device.id}/confirm`, {
    body: { challengeId: body.challenge.challengeId, code },
  })
  // A code serves once: the next one is another.
  world.advance(30_000)
  return { deviceId: body.device.id, secret: body.totp.secret }
}

export const tokenFor = async (
  world: World,
  { kit }: Person,
  { action, requestHash }: Demand,
  { deviceId, secret }: Factor,
): Promise<string> => {
  const begun = await kit.call('/mfa/challenges', { body: { action, requestHash, deviceId } })
  const code = totp(secret, world.api.api.clock.now())
  const { body } = await kit.call(`/mfa/challenges/${begun.body.challengeId}`, { body: { code } })
  world.advance(30_000)
  return body.mfaToken
}
