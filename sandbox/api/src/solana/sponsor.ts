/** Manages the wallets that pay fees for users, one for each environment that sponsors. Keys are sealed at rest. */
import { createPrivateKey, sign } from 'node:crypto'
import type { Envelope } from '@keybay/sandbox-service/envelope'
import { newKeyPair } from '@keybay/sandbox-service/key-pair'
import bs58 from 'bs58'
import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { Database } from '../db/open.js'
import { sponsors } from '../db/schema.js'
import type { Environment } from '../environments.js'
import type { Services } from '../services.js'
import type { SolanaChain } from './chain.js'
import { refuseSponsorship } from './policy.js'

/** RFC 8037 */
const okp = v.object({ kty: v.literal('OKP'), crv: v.literal('Ed25519'), x: v.string(), d: v.string() })

export function getSponsorContext(environmentId: string): string {
  return `sponsor ${environmentId}`
}

/** Amount requested from a sandbox's faucet when the wallet runs low, in lamports. */
const REFILL = 10_000_000_000

/** Creates missing wallets of sponsoring environments, at each start. Of several instances, one creates a wallet. */
export async function createSponsors(
  { db, envelope, clock }: Pick<Services, 'db' | 'envelope' | 'clock'>,
  environments: Iterable<Environment>,
): Promise<void> {
  for (const { id: environmentId, transactions } of environments) {
    if (!transactions.sponsorship) continue
    const jwk = v.parse(okp, newKeyPair('Ed25519').privateKey.export({ format: 'jwk' }))
    const address = bs58.encode(Buffer.from(jwk.x, 'base64url'))
    const sealed = envelope.seal(Buffer.from(jwk.d, 'base64url'), getSponsorContext(environmentId))
    const row = { environmentId, address, sealed, createdAt: clock.now() }
    await db.insert(sponsors).values(row).onConflictDoNothing()
  }
}

async function toRow(db: Database, environmentId: string) {
  const [row] = await db.select().from(sponsors).where(eq(sponsors.environmentId, environmentId))
  if (!row) throw new Error(`Environment "${environmentId}" has no sponsor`)
  return row
}

export async function sponsorAddress({ db }: Pick<Services, 'db'>, environmentId: string): Promise<string> {
  return (await toRow(db, environmentId)).address
}

/** Signs the bytes of a checked message, the only thing that this key signs. Returns 64 bytes. */
export async function signAsSponsor(
  { db, envelope }: { readonly db: Database; readonly envelope: Envelope },
  environmentId: string,
  message: Uint8Array,
): Promise<Uint8Array> {
  const { address, sealed } = await toRow(db, environmentId)
  const secret = envelope.open(sealed, getSponsorContext(environmentId))
  const d = Buffer.from(secret).toString('base64url')
  secret.fill(0)
  const x = Buffer.from(bs58.decode(address)).toString('base64url')
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', x, d }, format: 'jwk' })
  return sign(null, message, key)
}

/** @param most cost of the transaction, in lamports @throws ApiError `no_gas_sponsoring_policy`, `unable_to_fetch_balances`, `chain_unavailable` */
export async function ensureFunds(
  chain: SolanaChain,
  address: string,
  { most, hasFaucet }: { readonly most: number; readonly hasFaucet: boolean },
): Promise<void> {
  // Before the balance: a node that gives neither is `chain_unavailable`.
  const rent = await chain.rentExemption()
  if ((await chain.readBalance(address)) >= most + rent) return
  if (!hasFaucet) throw refuseSponsorship('empty')
  await chain.airdrop(address, REFILL)
  if ((await chain.readBalance(address)) < most + rent) throw refuseSponsorship('empty')
}
