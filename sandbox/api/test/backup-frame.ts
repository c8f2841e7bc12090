/** Simulates a wallet frame with a backup: the page's statement, and an envelope with its public header. */
import { randomBytes } from 'node:crypto'
import { APP, type Kit, type World } from './client.js'

export const FRAME = 'http://wallet.localhost:4200'

export function getSession(kit: Kit): string {
  return JSON.parse(Buffer.from(kit.token?.split('.')[1] ?? '', 'base64url').toString()).sid
}

export function getStatement(world: World, kit: Kit, claims: object = {}, typ = 'keybay-session+jwt'): string {
  const iat = Math.floor(world.api.clock.now() / 1000)
  return kit.sign({ typ }, { sid: getSession(kit), op: 'backupKeyShares', origin: APP, iat, ...claims })
}

export function getEnvelope(walletId: string, epoch = 0, size = 300, shares = ['B1']): string {
  const header = Buffer.from(JSON.stringify({ version: 1, walletId, epoch, shares }))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(header.length)
  return Buffer.concat([Buffer.from('KEYBAY01'), length, header, randomBytes(size)]).toString('base64url')
}
