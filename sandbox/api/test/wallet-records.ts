/** Signs records as R1 does, with a separate key pair that is pinned as the environment's record key. */
import { createHash, randomUUID, sign } from 'node:crypto'
import { newKeyPair } from '@keybay/sandbox-service/key-pair'
import type { World } from './client.js'

export interface RecordSigner {
  readonly jwk: { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  /** Signs a record; the given claims replace the usual ones. */
  sign(claims?: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, unknown>>): string
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

export function newRecordSigner(): RecordSigner {
  const { privateKey, publicKey } = newKeyPair('P-256')
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const jwk = { kty: 'EC', crv: 'P-256', x, y } as const
  const thumbprint = JSON.stringify({ crv: 'P-256', kty: 'EC', x, y })
  const kid = createHash('sha256').update(thumbprint).digest('base64url')
  return {
    jwk,
    sign(claims = {}, header = {}) {
      const head = base64url({ alg: 'ES256', typ: 'keybay-record+jwt', kid, ...header })
      const body = base64url({
        iss: 'R1',
        env: 'local',
        sub: randomUUID(),
        address: `address-${randomUUID()}`,
        chain: 'SOL',
        wallet: randomUUID(),
        set: randomUUID(),
        kind: 'primary',
        scheme: 'TWO_OF_THREE',
        epoch: 0,
        status: 'active',
        iat: 1_800_000_000,
        ...claims,
      })
      const signature = sign('sha256', Buffer.from(`${head}.${body}`), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return `${head}.${body}.${signature.toString('base64url')}`
    },
  }
}

export function getClaims(record: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(record.split('.')[1] ?? '', 'base64url').toString())
}

export async function report(world: World, record: string, headers: Readonly<Record<string, string>> = {}) {
  return world.kit().call('/embedded-wallets', { body: { record }, token: '', proof: false, headers })
}
