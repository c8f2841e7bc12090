/** Wallets with their accounts, and standalone private keys. */
import { randomBytes, randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { privateKeys, walletAccounts, wallets } from '../db/schema.js'
import { alreadyExists, CustodyError, required } from '../http/errors.js'
import { ADDRESS_FORMATS, addressOf, CURVES, newMnemonic, readPublicKey } from '../keys/derive.js'
import type { DerivedAccount } from '../keys/deriver.js'
import type { Cost } from '../limits.js'
import { id, name } from './fields.js'
import { type ActivityKind, kind, type Running } from './kind.js'

const accountParams = v.strictObject({
  curve: v.picklist(CURVES),
  pathFormat: v.literal('PATH_FORMAT_BIP32'),
  path: v.pipe(v.string(), v.maxLength(128), v.regex(/^m(\/\d{1,10}'?){1,8}$/)),
  addressFormat: v.picklist(ADDRESS_FORMATS),
  name: v.optional(name),
})
const accounts = v.pipe(v.array(accountParams), v.maxLength(32))
export const walletParams = v.strictObject({ walletName: name, accounts, mnemonicLength: v.optional(v.number()) })
export const importedWalletParams = v.omit(walletParams, ['mnemonicLength'])
type AccountParams = v.InferOutput<typeof accountParams>

/** Returns the encryption context that binds a secret to its row. */
export function context(what: 'mnemonic' | 'account' | 'key' | 'import key', rowId: string): string {
  return `custody ${what} ${rowId}`
}

/** @param imported the user's own mnemonic; default: a new one */
export async function addWallet(
  running: Running,
  { walletName, mnemonicLength, accounts }: v.InferOutput<typeof walletParams>,
  imported?: string,
): Promise<{ readonly walletId: string; readonly addresses: readonly string[] }> {
  const { tx, services, organizationId, now } = running
  const mnemonic = imported ?? newMnemonic(mnemonicLength)
  const walletId = randomUUID()
  const sealedMnemonic = await services.envelope.seal(Buffer.from(mnemonic), context('mnemonic', walletId))
  const made = await tx
    .insert(wallets)
    .values({
      id: walletId,
      organizationId,
      name: walletName,
      sealedMnemonic,
      exported: false,
      imported: imported !== undefined,
      createdAt: now,
    })
    .onConflictDoNothing()
    .returning({ id: wallets.id })
  if (made.length === 0) throw new CustodyError(alreadyExists, { resource: 'wallet' })
  return { walletId, addresses: await addAccounts(running, walletId, mnemonic, accounts) }
}

/** Returns what accounts cost: each step of a path is one derivation. */
export function getCost(requestedAccounts: readonly AccountParams[]): Cost {
  const steps = requestedAccounts.reduce((sum, { path }) => sum + path.split('/').length - 1, 0)
  return { steps, rows: 1 + requestedAccounts.length }
}

async function addAccounts(
  { tx, services, organizationId, now }: Running,
  walletId: string,
  mnemonic: string,
  requestedAccounts: readonly AccountParams[],
): Promise<readonly string[]> {
  const derived = await services.deriver.derive(mnemonic, requestedAccounts)
  const seal = async ({ curve, path, addressFormat, privateKey, publicKey, address }: DerivedAccount) => {
    const accountId = randomUUID()
    return {
      id: accountId,
      organizationId,
      walletId,
      curve,
      path,
      addressFormat,
      address,
      publicKey: Buffer.from(publicKey).toString('hex'),
      sealedKey: await services.envelope.seal(privateKey, context('account', accountId)),
      createdAt: now,
    }
  }
  const rows = await Promise.all(derived.map(seal)).finally(() => {
    for (const { privateKey } of derived) privateKey.fill(0)
  })
  if (rows.length === 0) return []
  const made = await tx.insert(walletAccounts).values(rows).onConflictDoNothing().returning({ id: walletAccounts.id })
  if (made.length < rows.length) throw new CustodyError(alreadyExists, { resource: 'wallet account' })
  return rows.map(({ address }) => address)
}

export async function getWallet(
  { tx, organizationId }: Pick<Running, 'tx' | 'organizationId'>,
  walletId: string,
): Promise<typeof wallets.$inferSelect> {
  const [row] = await tx
    .select()
    .from(wallets)
    .where(and(eq(wallets.organizationId, organizationId), eq(wallets.id, walletId)))
  return required(row, 'wallet')
}

export async function getMnemonic(
  { services }: Pick<Running, 'services'>,
  row: typeof wallets.$inferSelect,
): Promise<string> {
  return Buffer.from(await services.envelope.open(row.sealedMnemonic, context('mnemonic', row.id))).toString()
}

export const importedKeyParams = v.strictObject({
  privateKeyName: name,
  curve: v.picklist(CURVES),
  addressFormats: v.pipe(v.array(v.picklist(ADDRESS_FORMATS)), v.maxLength(4)),
})
const privateKeyParams = v.strictObject({
  ...importedKeyParams.entries,
  privateKeyTags: v.pipe(v.array(v.string()), v.maxLength(0)),
})

/** Erases the secret. @param imported the user's own key; default: a new one */
export async function addPrivateKey(
  { tx, services, organizationId, now }: Running,
  { privateKeyName, curve, addressFormats }: v.InferOutput<typeof importedKeyParams>,
  imported?: Uint8Array,
) {
  const secret = imported ?? new Uint8Array(randomBytes(32))
  const publicKey = readPublicKey(curve, secret)
  const privateKeyId = randomUUID()
  const addresses = addressFormats.map(format => ({ format, address: addressOf(publicKey, curve, format) }))
  const made = await tx
    .insert(privateKeys)
    .values({
      id: privateKeyId,
      organizationId,
      name: privateKeyName,
      curve,
      addresses,
      publicKey: Buffer.from(publicKey).toString('hex'),
      sealedKey: await services.envelope.seal(secret, context('key', privateKeyId)),
      exported: false,
      imported: imported !== undefined,
      createdAt: now,
    })
    .onConflictDoNothing()
    .returning({ id: privateKeys.id })
  secret.fill(0)
  if (made.length === 0) throw new CustodyError(alreadyExists, { resource: 'private key' })
  return { privateKeyId, addresses }
}

export const walletKinds: readonly ActivityKind[] = [
  kind({
    path: 'create_wallet',
    action: 'CREATE',
    resource: 'WALLET',
    needs: 'key',
    parameters: walletParams,
    cost: ({ accounts }) => getCost(accounts),
    run: async (running, params) => ({ ...(await addWallet(running, params)) }),
  }),
  kind({
    path: 'create_wallet_accounts',
    action: 'CREATE',
    resource: 'WALLET_ACCOUNT',
    needs: 'key',
    parameters: v.strictObject({ walletId: id, accounts, persist: v.optional(v.literal(true)) }),
    cost: ({ accounts }) => getCost(accounts),
    subject: async (running, { walletId }) => {
      const wallet = await getWallet(running, walletId)
      return { wallet: { id: wallet.id, label: wallet.name } }
    },
    run: async (running, { walletId, accounts }) => {
      const wallet = await getWallet(running, walletId)
      return { addresses: [...(await addAccounts(running, walletId, await getMnemonic(running, wallet), accounts))] }
    },
  }),
  kind({
    path: 'create_private_keys',
    versions: ['V2'],
    resultVersion: 'V2',
    action: 'CREATE',
    resource: 'PRIVATE_KEY',
    parameters: v.strictObject({ privateKeys: v.pipe(v.array(privateKeyParams), v.minLength(1), v.maxLength(16)) }),
    cost: ({ privateKeys }) => ({ rows: privateKeys.length }),
    run: async (running, { privateKeys: requestedKeys }) => {
      const made = []
      for (const keyParams of requestedKeys) made.push(await addPrivateKey(running, keyParams))
      return { privateKeys: made }
    },
  }),
]
