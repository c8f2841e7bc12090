/** Lists wallets and the operations that this frame supports for each. Settles interrupted ceremonies too. */
import { accountNotFound, type Chain, KeybayError } from '@keybay/kernel/spec'
import type { Authorised, ForOperation, OnAccount, WaasWallet } from '@keybay/waas/protocol'
import { listSchema } from '@keybay/waas/relay-client'
import type { Frame } from '../core/frame.js'
import type { Job } from '../core/job.js'
import { settle } from '../core/settle.js'
import { type KnownWallet, verifyWallet, walletView } from '../core/views.js'
import type { KeptSet } from '../store/kept.js'

/** Lists the user's wallets at the relay, and settles ceremonies that this browser left unfinished. */
async function listWallets({ frame, user, authority }: Job, chain: Chain): Promise<readonly KnownWallet[]> {
  const { wallets } = await frame.relay.post({ path: '/wallets/list', body: {}, answer: listSchema, authority })
  // A request for Solana wallets does not load the code of other chains.
  const isAsked = ({ chainName }: { readonly chainName: Chain }) => chainName === 'SOL' || chainName === chain
  const known = await Promise.all(wallets.filter(isAsked).map(wallet => verifyWallet(frame, user, wallet)))
  await settle(frame, user, known, isAsked)
  // Store the list, because a frame that did not request it must still find a wallet by its address.
  const keep = wallets.map(async wallet => {
    const before = await frame.store.known(user, wallet.address)
    if (JSON.stringify(before) !== JSON.stringify(wallet)) await frame.store.keepKnown(user, wallet)
  })
  await Promise.all(keep)
  return known
}

function ofWallet(storedSets: readonly KeptSet[], { walletId }: KnownWallet) {
  return storedSets.filter(set => set.walletId === walletId)
}

export async function getWallets(job: Job, payload: Authorised) {
  const { frame } = job
  const wallets = await listWallets(job, payload.chainName)
  const storedSets = await frame.store.list(job.user)
  return wallets
    .filter(({ chainName }) => chainName === payload.chainName)
    .map(wallet => walletView(wallet, ofWallet(storedSets, wallet)))
}

/** @throws KeybayError `account_not_found` */
async function findWallet(job: Job, address: string, chain: Chain): Promise<WaasWallet> {
  const wallet = (await listWallets(job, chain)).find(wallet => wallet.address === address)
  if (!wallet) throw new KeybayError(accountNotFound)
  return walletView(wallet, ofWallet(await job.frame.store.list(job.user), wallet))
}

function needsShare(operation: ForOperation['walletOperation']): boolean {
  return operation !== undefined && operation !== 'NO_OPERATION'
}

/** @returns the wallet, and what the operation still needs here */
export async function getWallet(job: Job, payload: ForOperation) {
  const wallet = await findWallet(job, payload.accountAddress, payload.chainName)
  if (!needsShare(payload.walletOperation)) return { wallet, ready: true, needs: [] }
  const needs = [
    ...(wallet.passwordEncrypted && payload.password === undefined ? ['password' as const] : []),
    // The share is not here, and only a backup or another device can supply one.
    ...(wallet.here ? [] : ['backup' as const]),
  ]
  return { wallet, ready: needs.length === 0, needs }
}

/** Reads this browser's storage only, without a request to the relay. */
export async function isEncryptedHere(frame: Frame, { authToken, accountAddress }: OnAccount): Promise<boolean> {
  const stored = await frame.store.byAddress(frame.session.getUser(authToken), accountAddress)
  return stored?.share.sealed.password !== undefined
}

export async function requiresPasswordForOperation(frame: Frame, payload: ForOperation): Promise<boolean> {
  return needsShare(payload.walletOperation) && (await isEncryptedHere(frame, payload))
}
