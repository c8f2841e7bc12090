/** Finds the signer: an account by its address, or a key by its ID or address. */
import { and, eq, sql } from 'drizzle-orm'
import { privateKeys, walletAccounts, wallets } from '../db/schema.js'
import { required } from '../http/errors.js'
import { CURVES, type Curve } from '../keys/derive.js'
import type { Running, Subject } from './kind.js'
import { context } from './wallets.js'

export interface Signer {
  readonly curve: Curve
  /** hex */
  readonly publicKey: string
  readonly subject: Subject
  /** Passes the key to `use`, then erases it. */
  withKey<T>(use: (key: Uint8Array) => T): Promise<T>
}

type Place = Pick<Running, 'tx' | 'organizationId' | 'services'>

function getCurve(text: string): Curve {
  const curve = CURVES.find(curve => curve === text)
  if (!curve) throw new Error(`Unknown curve ${text}`)
  return curve
}

function signer(
  { services }: Place,
  row: { readonly curve: string; readonly publicKey: string; readonly sealedKey: string },
  sealedFor: string,
  subject: Subject,
): Signer {
  return {
    curve: getCurve(row.curve),
    publicKey: row.publicKey,
    subject,
    async withKey(use) {
      const key = await services.envelope.open(row.sealedKey, sealedFor)
      try {
        return use(key)
      } finally {
        key.fill(0)
      }
    },
  }
}

/** @throws CustodyError when the organisation has no such account or key */
export async function getSigner(place: Place, signWith: string): Promise<Signer> {
  const { tx, organizationId } = place
  const account = await getAccount(place, signWith)
  if (account)
    return signer(place, account.account, context('account', account.account.id), {
      wallet: { id: account.wallet.id, label: account.wallet.name },
      wallet_account: { address: account.account.address, path: account.account.path },
    })
  const key = await getPrivateKey(place, signWith)
  if (key) return signer(place, key, context('key', key.id), { private_key: { id: key.id, label: key.name } })
  const [byAddress] = await tx
    .select()
    .from(privateKeys)
    .where(
      and(
        eq(privateKeys.organizationId, organizationId),
        sql`${privateKeys.addresses} @> ${JSON.stringify([{ address: signWith }])}::jsonb`,
      ),
    )
  const { id, name, ...rest } = required(byAddress, 'account or key to sign with')
  return signer(place, rest, context('key', id), { private_key: { id, label: name } })
}

export async function getAccount(
  { tx, organizationId }: Place,
  address: string,
): Promise<{ account: typeof walletAccounts.$inferSelect; wallet: typeof wallets.$inferSelect } | undefined> {
  const [row] = await tx
    .select({ account: walletAccounts, wallet: wallets })
    .from(walletAccounts)
    .innerJoin(wallets, eq(wallets.id, walletAccounts.walletId))
    .where(and(eq(walletAccounts.organizationId, organizationId), eq(walletAccounts.address, address)))
  return row
}

export async function getPrivateKey(
  { tx, organizationId }: Place,
  keyId: string,
): Promise<typeof privateKeys.$inferSelect | undefined> {
  const [row] = await tx
    .select()
    .from(privateKeys)
    .where(and(eq(privateKeys.organizationId, organizationId), eq(privateKeys.id, keyId)))
  return row
}
