/** Keys that all instances share: made by the first one, kept in the database. */
import { createHmac, randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Database } from './db/open.js'
import { facts } from './db/schema.js'

export interface Keys {
  /** RS256, private, with a key id. */
  readonly signing: JWK & { readonly kid: string }
  /** Of cookies, and of the keys that people have at Farcaster. */
  derive(use: string): Buffer
}

async function fact(db: Database, name: string, make: () => Promise<string>): Promise<string> {
  const read = async () => (await db.select().from(facts).where(eq(facts.name, name)))[0]?.value
  const known = await read()
  if (known !== undefined) return known
  await db
    .insert(facts)
    .values({ name, value: await make() })
    .onConflictDoNothing()
  return (await read()) ?? ''
}

export async function loadKeys(db: Database): Promise<Keys> {
  const signing: JWK = JSON.parse(
    await fact(db, 'signing', async () => {
      const { privateKey } = await generateKeyPair('RS256', { extractable: true })
      return JSON.stringify(await exportJWK(privateKey))
    }),
  )
  const secret = await fact(db, 'secret', async () => randomBytes(32).toString('base64url'))
  return {
    signing: { ...signing, kid: 'identity-1', alg: 'RS256', use: 'sig' },
    derive: use => createHmac('sha256', secret).update(use).digest(),
  }
}
