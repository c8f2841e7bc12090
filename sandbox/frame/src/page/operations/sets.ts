/** Revokes share sets and changes the policy of a wallet. */
import { accountNotFound, KeybayError } from '@keybay/kernel/spec'
import { SCHEMES } from '@keybay/waas/mpc'
import {
  consentRequired,
  type Policy,
  type RevokeSet,
  type SetPolicy,
  type WalletAnswer,
  wirePolicy,
} from '@keybay/waas/protocol'
import { assertPath, oneWallet, type RelayWallet } from '@keybay/waas/relay-client'
import { openWindow } from '../core/chain-kit.js'
import { getDevice, type Job, provedBy } from '../core/job.js'
import { keptWallet } from '../core/share.js'
import { verifyWallet, walletView } from '../core/views.js'
import { frameError } from '../errors/errors.js'
import { agreeTo, type Plain } from '../screen/questions.js'
import { confirmErasure, type ErasureConsent } from '../store/erasure.js'
import type { KeptSet } from '../store/kept.js'

async function answer({ frame, user }: Job, wallet: RelayWallet): Promise<WalletAnswer> {
  const known = await verifyWallet(frame, user, wallet)
  await frame.store.keepKnown(user, wallet)
  const storedSets = (await frame.store.list(user)).filter(({ walletId }) => walletId === wallet.walletId)
  return { wallet: walletView(known, storedSets) }
}

/** Builds the path, before the user is asked. @throws KeybayError `record_invalid` if the ID is invalid */
function getPath({ walletId }: KeptSet, setId: string, what: 'revoke' | 'policy'): string {
  const path = `/wallets/${walletId}/sets/${encodeURIComponent(setId)}/${what}`
  assertPath(path)
  return path
}

/** Returns the name of a set in the last list, or its ID. */
async function getName({ frame, user }: Job, { address }: KeptSet, setId: string): Promise<string> {
  const set = (await frame.store.known(user, address))?.sets.find(known => known.setId === setId)
  const name = set?.name ? `“${set.name}”` : setId
  return set?.kind === 'delegate' ? name : `the ${set ? 'device' : 'set'} ${name}`
}

/** Returns this browser's retired share of the set, if it keeps one. */
async function retiredSet({ frame, user }: Job, address: string, setId: string): Promise<KeptSet | undefined> {
  const stored = await frame.store.get(user, setId)
  return stored?.retired && stored.address === address ? stored : undefined
}

/** Erases a set under the wallet's lock, so that no other tab changes the wallet. */
function erase({ frame }: Job, { walletId, setId }: KeptSet, consent: ErasureConsent): Promise<void> {
  frame.signers.forget(setId)
  return frame.locks.changing(walletId, () => frame.store.erase(consent))
}

/** Lists what the user loses, as far as this browser knows. */
function erasureQuestion({ kind, scheme, aside }: Pick<KeptSet, 'kind' | 'scheme' | 'aside'>): Plain {
  const loss = SCHEMES[scheme].parties.some(party => party === 'B1')
    ? 'Without it, your backup alone can’t recover the wallet if the service is gone. Copy this share first.'
    : 'This wallet has no backup. Unless another device works, you lose the wallet.'
  return {
    title: 'Erase the key share in this browser?',
    sentences: [
      'It no longer signs. This browser still keeps it.',
      aside ? 'The other shares that this browser keeps of this wallet are erased too.' : '',
    ].filter(Boolean),
    problems: [kind === 'primary' ? loss : '', 'You can’t undo this.'].filter(Boolean),
    action: 'Erase',
  }
}

/** Erases a retired share. No relay takes part, so only the user's consent counts. */
async function eraseRetired(job: Job, stored: KeptSet): Promise<WalletAnswer> {
  const { frame, user, context } = job
  const { address } = stored
  const listed = await frame.store.known(user, address)
  if (!listed) throw new KeybayError(accountNotFound)
  const about = { address, signal: context.signal }
  const consent = await confirmErasure(stored, () => agreeTo(frame.screen, erasureQuestion(stored), about))
  await erase(job, stored, consent)
  return answer(job, listed)
}

/** Asks the user, then has the relays erase their shares: the set can never sign again. */
export async function revokeSet(job: Job, payload: RevokeSet) {
  const { frame, context } = job
  const { accountAddress: address, setId } = payload
  const retired = await retiredSet(job, address, setId)
  if (retired) return eraseRetired(job, retired)
  const stored = await keptWallet(job, address)
  const path = getPath(stored, setId, 'revoke')
  const ownSet = await frame.store.get(job.user, setId)
  if (ownSet?.kind === 'primary') throw frameError('frame_primary_set')
  const question = {
    title: `Revoke ${stored.setId === setId ? 'this browser' : await getName(job, stored, setId)}?`,
    sentences: ['It can never sign for this wallet again.'],
    action: 'Revoke',
  }
  const ask = () => agreeTo(frame.screen, question, { address, signal: context.signal })
  const consent = ownSet && (await confirmErasure(ownSet, ask))
  if (!ownSet) await ask()
  const { wallet } = await frame.relay.post({
    path,
    body: {},
    answer: oneWallet,
    authority: job.authority,
    device: { ...getDevice(stored), consent: true },
  })
  const known = await verifyWallet(frame, job.user, wallet)
  // Erase only with the user's consent and a revocation that the relay signed.
  if (ownSet && consent && known.sets.some(set => set.setId === setId && set.status === 'revoked'))
    await erase(job, ownSet, consent)
  return answer(job, wallet)
}

/**
 * Ends a grant here before the relays know: without the user's consent a page can only make the wallet ask more.
 * @throws KeybayError `consent_required` for every other change
 */
async function assertEndsGrant({ frame, user }: Job, setId: string, policy: Policy | null): Promise<void> {
  let isClosed = false
  if (policy === null)
    await frame.store.changeAgreement(user, setId, now => {
      isClosed = now !== undefined && now.policy.otherwise === undefined
      return isClosed ? undefined : null
    })
  if (policy !== null || isClosed) throw new KeybayError(consentRequired)
}

/** Effect of a policy that reads like a restriction only. */
const CLOSED = 'It signs without asking you, within these rules, and refuses everything else.'

export async function setPolicy(initialJob: Job, payload: SetPolicy) {
  const { frame, context } = initialJob
  const { accountAddress: address, policy, setId } = payload
  const stored = await keptWallet(initialJob, address)
  const path = getPath(stored, setId, 'policy')
  const consent = frame.screen.visible
  // Only Solana wallets have policies, so the relay refuses one for any other without a question.
  if (!consent && stored.chainName === 'SOL') await assertEndsGrant(initialJob, setId, policy)
  const agree = async () => {
    const whose = stored.setId === setId ? 'this wallet' : await getName(initialJob, stored, setId)
    const { sentences, problems } = (await openWindow(frame)).rulesInWords(policy)
    const isClosed = policy !== null && policy.otherwise === undefined
    const question = {
      title: `Change what ${whose} may do?`,
      sentences: isClosed ? [CLOSED] : [],
      rules: sentences,
      problems,
      action: 'Change',
    }
    return agreeTo(frame.screen, question, { address, factor: await initialJob.factor(), signal: context.signal })
  }
  const job = provedBy(initialJob, consent ? await agree() : undefined)
  const { wallet } = await frame.relay.post({
    path,
    body: { policy: policy && wirePolicy(policy) },
    answer: oneWallet,
    authority: job.authority,
    device: { ...getDevice(stored), consent },
  })
  if (stored.setId === setId && consent)
    await frame.store.changeAgreement(initialJob.user, setId, now => policy && { policy, spent: now?.spent ?? {} })
  return answer(job, wallet)
}
