/** Keys that all instances share: the first instance makes them, the database stores them. */
import { createHmac, randomBytes } from 'node:crypto'
import { keepFact } from '@keybay/sandbox-service/keys'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Database } from './db/open.js'

export interface Keys {
  /** Private RS256 key with a key id. */
  readonly signing: JWK & { readonly kid: string }
  /** Derives the keys of cookies and of the users' Farcaster accounts. */
  derive(use: string): Buffer
}

async function newSigningKey(): Promise<string> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return JSON.stringify(await exportJWK(privateKey))
}

export async function loadKeys(db: Database): Promise<Keys> {
  const signing: JWK = JSON.parse(await keepFact(db, 'signing', newSigningKey))
  const secret = await keepFact(db, 'secret', () => randomBytes(32).toString('base64url'))
  return {
    signing: { ...signing, kid: 'identity-1', alg: 'RS256', use: 'sig' },
    derive: use => createHmac('sha256', secret).update(use).digest(),
  }
}
