/** Export: the secret is sealed to a key of the user's page and signed by the enclave. */
import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { privateKeys, wallets } from '../db/schema.js'
import { CustodyError, required, resourceNotFound } from '../http/errors.js'
import { id, targetPublicKey } from './fields.js'
import { type ActivityKind, getSigner, kind, type Running } from './kind.js'
import { getMnemonic, getWallet } from './wallets.js'

const address = v.pipe(v.string(), v.minLength(1), v.maxLength(256))

function bundle({ services, organizationId }: Running, secret: Uint8Array, target: string): string {
  return services.enclave.exportBundle(secret, target, organizationId)
}

export const exportKinds: readonly ActivityKind[] = [
  kind({
    path: 'export_wallet',
    action: 'EXPORT',
    resource: 'WALLET',
    parameters: v.strictObject({
      walletId: id,
      targetPublicKey,
      language: v.optional(v.literal('MNEMONIC_LANGUAGE_ENGLISH')),
    }),
    subject: async (running, { walletId }) => {
      const wallet = await getWallet(running, walletId)
      return { wallet: { id: wallet.id, label: wallet.name } }
    },
    run: async (running, { walletId, targetPublicKey }) => {
      const wallet = await getWallet(running, walletId)
      const exportBundle = bundle(running, Buffer.from(await getMnemonic(running, wallet)), targetPublicKey)
      await running.tx.update(wallets).set({ exported: true }).where(eq(wallets.id, walletId))
      return { walletId, exportBundle }
    },
  }),
  kind({
    path: 'export_wallet_account',
    action: 'EXPORT',
    resource: 'WALLET_ACCOUNT',
    parameters: v.strictObject({ address, targetPublicKey }),
    keyName: ({ address }) => address,
    run: async (running, { address, targetPublicKey }) => {
      const signer = getSigner(running)
      const wallet = required(signer.subject.wallet, 'wallet account')
      const exportBundle = await signer.withKey(key => bundle(running, key, targetPublicKey))
      await running.tx.update(wallets).set({ exported: true }).where(eq(wallets.id, wallet.id))
      return { address, exportBundle }
    },
  }),
  kind({
    path: 'export_private_key',
    action: 'EXPORT',
    resource: 'PRIVATE_KEY',
    parameters: v.strictObject({ privateKeyId: id, targetPublicKey }),
    keyName: ({ privateKeyId }) => privateKeyId,
    run: async (running, { privateKeyId, targetPublicKey }) => {
      const signer = getSigner(running)
      if (signer.subject.private_key?.id !== privateKeyId)
        throw new CustodyError(resourceNotFound, { resource: 'private key' })
      const exportBundle = await signer.withKey(key => bundle(running, key, targetPublicKey))
      await running.tx.update(privateKeys).set({ exported: true }).where(eq(privateKeys.id, privateKeyId))
      return { privateKeyId, exportBundle }
    },
  }),
]
