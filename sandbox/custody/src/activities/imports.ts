/**
 * Imports of wallets and private keys. The page seals them to a key that this service made for one user and one import,
 * so that neither a copied bundle nor a bundle of someone else can be imported.
 */
import { randomUUID } from 'node:crypto'
import { validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { generateP256KeyPair, hpkeDecrypt } from '@turnkey/crypto'
import { and, eq, inArray, lte, ne } from 'drizzle-orm'
import * as v from 'valibot'
import { importKeys, privateKeys, walletAccounts } from '../db/schema.js'
import { alreadyExists, CustodyError, failedPrecondition, invalidRequest } from '../http/errors.js'
import { type Curve, readPublicKey } from '../keys/derive.js'
import type { Services } from '../services.js'
import type { Actor } from '../stamps/authenticate.js'
import { id } from './fields.js'
import { type ActivityFacts, type ActivityKind, kind, type Running } from './kind.js'
import { addPrivateKey, addWallet, context, getCost, importedKeyParams, importedWalletParams } from './wallets.js'

/** How long an import key works: long enough to type a mnemonic and to wait for a quorum's approval. */
const LIFETIME_MS = 60 * 60_000

const KEY_BYTES = 32

const hex = v.pipe(v.string(), v.regex(/^([\da-f]{2})+$/i))
/** As `formatHpkeBuf` of @turnkey/crypto writes it. */
const bundleSchema = v.strictObject({ encappedPublic: v.pipe(hex, v.length(130)), ciphertext: hex })
const encryptedBundle = v.pipe(v.string(), v.maxLength(4096))

/** A user imports alone: the bundle is sealed to a key of the user who sends it. @throws CustodyError `BAD_REQUEST` */
function assertOwn(actor: Actor, { userId }: { readonly userId: string }): void {
  if (userId !== actor.userId)
    throw new CustodyError(invalidRequest, { field: 'userId', expected: 'the user who sends the request' })
}

/** Makes the user's import key. An older one stops working. */
async function makeImportKey({ tx, services, organizationId, now }: Running, userId: string): Promise<string> {
  const { privateKey, publicKeyUncompressed } = generateP256KeyPair()
  const rowId = randomUUID()
  const sealedKey = await services.envelope.seal(Buffer.from(privateKey, 'hex'), context('import key', rowId))
  const values = { id: rowId, sealedKey, createdAt: now }
  await tx
    .insert(importKeys)
    .values({ ...values, organizationId, userId })
    .onConflictDoUpdate({ target: [importKeys.organizationId, importKeys.userId], set: values })
  return services.enclave.importBundle(publicKeyUncompressed, organizationId, userId)
}

function openBundle(text: string, receiverPriv: string): Uint8Array {
  try {
    const { encappedPublic, ciphertext } = v.parse(v.pipe(v.string(), v.parseJson(), bundleSchema), text)
    const [encappedKeyBuf, ciphertextBuf] = [encappedPublic, ciphertext].map(part =>
      Uint8Array.from(Buffer.from(part, 'hex')),
    )
    if (!encappedKeyBuf || !ciphertextBuf) throw new Error('No bundle')
    return hpkeDecrypt({ encappedKeyBuf, ciphertextBuf, receiverPriv })
  } catch {
    throw new CustodyError(invalidRequest, { field: 'encryptedBundle', expected: 'a bundle for the newest import key' })
  }
}

/**
 * Opens a bundle with the user's import key, which is then used up. It stays where the import fails, because the
 * transaction takes the deletion back. Two imports at once wait for each other at this row.
 * @throws CustodyError `FAILED_PRECONDITION` without an import key, `BAD_REQUEST` for a bundle of another key
 */
async function openImport(
  { tx, services, organizationId, now }: Running,
  { userId, encryptedBundle }: { readonly userId: string; readonly encryptedBundle: string },
): Promise<Uint8Array> {
  const isOfUser = and(eq(importKeys.organizationId, organizationId), eq(importKeys.userId, userId))
  const [row] = await tx.delete(importKeys).where(isOfUser).returning()
  if (!row || row.createdAt <= now - LIFETIME_MS)
    throw new CustodyError(failedPrecondition, { reason: 'There is no import key. Begin the import again.' })
  const key = await services.envelope.open(row.sealedKey, context('import key', row.id))
  return openBundle(encryptedBundle, Buffer.from(key).toString('hex'))
}

export async function deleteExpiredImportKeys({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  await db.delete(importKeys).where(lte(importKeys.createdAt, clock.now() - LIFETIME_MS))
}

/** @throws CustodyError `BAD_REQUEST` that does not quote the mnemonic */
function readMnemonic(secret: Uint8Array): string {
  const mnemonic = Buffer.from(secret).toString()
  if (validateMnemonic(mnemonic, wordlist)) return mnemonic
  throw new CustodyError(invalidRequest, {
    field: 'encryptedBundle',
    expected: 'a BIP-39 mnemonic: 12, 15, 18, 21 or 24 English words',
  })
}

/** @throws CustodyError `BAD_REQUEST` for a key that the curve does not have */
function readImportedKey(curve: Curve, secret: Uint8Array): Uint8Array {
  try {
    if (secret.length === KEY_BYTES) return readPublicKey(curve, secret)
  } catch {
    // The error below names no key.
  }
  throw new CustodyError(invalidRequest, { field: 'encryptedBundle', expected: `a private key of ${curve}, 32 bytes` })
}

/** @throws CustodyError `RESOURCE_EXISTS`: one address must mean one wallet */
async function assertNewAddresses(
  { tx, organizationId }: Running,
  walletId: string,
  addresses: readonly string[],
): Promise<void> {
  const same = and(
    eq(walletAccounts.organizationId, organizationId),
    inArray(walletAccounts.address, [...addresses]),
    ne(walletAccounts.walletId, walletId),
  )
  if ((await tx.$count(walletAccounts, same)) > 0) throw new CustodyError(alreadyExists, { resource: 'wallet account' })
}

async function assertNewKey({ tx, organizationId }: Running, publicKey: Uint8Array): Promise<void> {
  const text = Buffer.from(publicKey).toString('hex')
  const same = and(eq(privateKeys.organizationId, organizationId), eq(privateKeys.publicKey, text))
  if ((await tx.$count(privateKeys, same)) > 0) throw new CustodyError(alreadyExists, { resource: 'private key' })
}

function init(path: string, resource: ActivityFacts['resource']): ActivityKind {
  return kind({
    path,
    action: 'IMPORT',
    resource,
    parameters: v.strictObject({ userId: id }),
    check: assertOwn,
    run: async (running, { userId }) => ({ importBundle: await makeImportKey(running, userId) }),
  })
}

export const importKinds: readonly ActivityKind[] = [
  init('init_import_wallet', 'WALLET'),
  kind({
    path: 'import_wallet',
    action: 'IMPORT',
    resource: 'WALLET',
    parameters: v.strictObject({ userId: id, encryptedBundle, ...importedWalletParams.entries }),
    check: assertOwn,
    cost: ({ accounts }) => getCost(accounts),
    run: async (running, params) => {
      const mnemonic = readMnemonic(await openImport(running, params))
      const { walletId, addresses } = await addWallet(running, params, mnemonic)
      await assertNewAddresses(running, walletId, addresses)
      return { walletId, addresses }
    },
  }),
  init('init_import_private_key', 'PRIVATE_KEY'),
  kind({
    path: 'import_private_key',
    action: 'IMPORT',
    resource: 'PRIVATE_KEY',
    parameters: v.strictObject({ userId: id, encryptedBundle, ...importedKeyParams.entries }),
    check: assertOwn,
    cost: () => ({ rows: 1 }),
    run: async (running, params) => {
      const secret = await openImport(running, params)
      await assertNewKey(running, readImportedKey(params.curve, secret))
      return addPrivateKey(running, params, secret)
    },
  }),
]
