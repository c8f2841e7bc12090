/** Simulates a wallet frame with a backup: the page's statement, and an envelope with its public header. */
import { type KeyObject, randomBytes, sign } from 'node:crypto'
import { APP, type Kit, newKey, type World } from './client.js'

export const FRAME = 'http://wallet.localhost:4200'

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
export interface Person {
  readonly kit: Kit
  readonly key: KeyObject
}

export async function arriveIn(world: World, email: string): Promise<Person> {
  const key = newKey()
  const kit = world.kit(key)
  await kit.signInByEmail(email)
  return { kit, key }
}
/** Returns the page's session key statement for an operation. */
export function getStatement(
  world: World,
  { kit, key }: Person,
  claims: object = {},
  typ = 'keybay-session+jwt',
): string {
  const { sid } = JSON.parse(Buffer.from(kit.token?.split('.')[1] ?? '', 'base64url').toString())
  const iat = Math.floor(world.api.clock.now() / 1000)
  const text = `${encode({ alg: 'ES256', typ })}.${encode({ sid, op: 'backupKeyShares', origin: APP, iat, ...claims })}`
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

export function getEnvelope(walletId: string, epoch = 0, size = 300, shares = ['B1']): string {
  const header = Buffer.from(JSON.stringify({ version: 1, walletId, epoch, shares }))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(header.length)
  return Buffer.concat([Buffer.from('KEYBAY01'), length, header, randomBytes(size)]).toString('base64url')
}
