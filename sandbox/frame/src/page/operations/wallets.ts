/** Lists wallets and the operations that this frame supports for each. Settles interrupted ceremonies too. */
import { accountNotFound, type Chain, KeybayError, type MfaAction } from '@keybay/kernel/spec'
import type { Authorised, ForOperation, OnAccount } from '@keybay/waas/protocol'
import { listSchema } from '@keybay/waas/relay-client'
import type { Frame } from '../core/frame.js'
import type { Job } from '../core/job.js'
import { settle } from '../core/settle.js'
import { type KnownWallet, verifyWallet, walletView } from '../core/views.js'
import type { KeptSet } from '../store/kept.js'
import { needsOf, requirementOf } from './operation-needs.js'

interface Listed {
  readonly known: readonly KnownWallet[]
  /** Actions that require a second factor of the user, if requested. */
  readonly demands: readonly MfaAction[]
}

/** Lists the user's wallets at the relay, and settles ceremonies that this browser left unfinished. */
async function listWallets({ frame, user, authority }: Job, chain: Chain, withDemands = false): Promise<Listed> {
  const body = withDemands ? { demands: true } : {}
  const answer = await frame.relay.post({ path: '/wallets/list', body, answer: listSchema, authority })
  const { wallets, demands = [] } = answer
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
  return { known, demands }
}

function ofWallet(storedSets: readonly KeptSet[], { walletId }: KnownWallet) {
  return storedSets.filter(set => set.walletId === walletId)
}

export async function getWallets(job: Job, payload: Authorised) {
  const { frame } = job
  const { known } = await listWallets(job, payload.chainName)
  const storedSets = await frame.store.list(job.user)
  return known
    .filter(({ chainName }) => chainName === payload.chainName)
    .map(wallet => walletView(wallet, ofWallet(storedSets, wallet)))
}

/**
 * @returns the wallet, and what the operation still needs here
 * @throws KeybayError `account_not_found`
 */
export async function getWallet(job: Job, payload: ForOperation) {
  const { accountAddress, chainName, walletOperation, password, mfaToken } = payload
  const withDemands = requirementOf(walletOperation).action !== undefined
  const { known, demands } = await listWallets(job, chainName, withDemands)
  const match = known.find(({ address }) => address === accountAddress)
  if (!match) throw new KeybayError(accountNotFound)
  const wallet = walletView(match, ofWallet(await job.frame.store.list(job.user), match))
  const needs = needsOf(wallet, walletOperation, { password, mfaToken, demands, now: job.frame.clock.now() })
  return { wallet, ready: needs.length === 0, needs }
}

/** Reads this browser's storage only, without a request to the relay. */
export async function isEncryptedHere(frame: Frame, { authToken, accountAddress }: OnAccount): Promise<boolean> {
  const stored = await frame.store.byAddress(frame.session.getUser(authToken), accountAddress)
  return stored?.share.sealed.password !== undefined
}

/** Reads the share that the operation takes: the primary set's, or the newest one that signs. */
export async function requiresPasswordForOperation(frame: Frame, payload: ForOperation): Promise<boolean> {
  const { shares } = requirementOf(payload.walletOperation)
  if (shares === 'none') return false
  if (shares === 'threshold') return isEncryptedHere(frame, payload)
  const sets = await frame.store.list(frame.session.getUser(payload.authToken))
  const primary = sets.find(
    ({ address, kind, retired }) => address === payload.accountAddress && kind === 'primary' && !retired,
  )
  return primary?.share.sealed.password !== undefined
}
