/** Share sets besides the primary one, and what each may do. */
import {
  type HandlerContext,
  type Policy,
  type RevokeSet,
  type SetPolicy,
  type WalletAnswer,
  wirePolicy,
} from '../../protocol/index.js'
import type { Frame } from '../frame.js'
import { oneWallet, type RelayWallet } from '../relay/answers.js'
import { agreeTo } from '../screen/questions.js'
import { inSol } from '../solana/describe.js'
import { deviceOf, type Job, provedBy, startJob } from './job.js'
import { keptWallet } from './share.js'
import { verifyWallet, walletView } from './views.js'

const answer = async ({ frame, user }: Job, wallet: RelayWallet): Promise<WalletAnswer> => {
  const known = await verifyWallet(frame, user, wallet)
  const kept = (await frame.store.list(user)).filter(({ walletId }) => walletId === wallet.walletId)
  return { wallet: walletView(known, kept) }
}

/** The relays erase their half: the set can never sign again, whoever has its other half. */
export const revokeSet = async (frame: Frame, payload: RevokeSet, context: HandlerContext): Promise<WalletAnswer> => {
  const { accountAddress: address, setId } = payload
  const job = await startJob(frame, 'revokeSet', payload, context)
  const kept = await keptWallet(job, address)
  const consent = frame.screen.visible
  if (consent)
    await agreeTo(
      frame.screen,
      { title: 'Revoke this device?', sentences: ['It can never sign for this wallet again.'], action: 'Revoke' },
      { address, signal: context.signal },
    )
  const { wallet } = await frame.relay.post({
    path: `/wallets/${kept.walletId}/sets/${encodeURIComponent(setId)}/revoke`,
    body: {},
    answer: oneWallet,
    authority: job.authority,
    device: { ...deviceOf(kept), consent },
  })
  if (kept.setId === setId) {
    frame.signers.forget(setId)
    await frame.store.remove(job.user, setId)
  }
  return answer(job, wallet)
}

export const inWords = (policy: Policy | null): readonly string[] => {
  if (!policy) return ['The rules of this wallet end. The service’s own limits hold again.']
  const { dailyLimit, transactionLimit, programs, destinations, messages, expiresAt } = policy
  return [
    dailyLimit === undefined ? 'No limit a day.' : `At most ${inSol(dailyLimit)} a day.`,
    transactionLimit === undefined ? 'No limit for one transaction.' : `At most ${inSol(transactionLimit)} at once.`,
    `Programs: ${programs.map(({ programId, uncapped }) => programId + (uncapped ? ' (without a limit)' : '')).join(', ') || 'none'}.`,
    `It may pay ${destinations ? destinations.join(', ') || 'nobody' : 'everybody'}.`,
    messages ? 'It may sign messages.' : 'It may sign no messages.',
    ...(expiresAt === undefined ? [] : [`Nothing after ${new Date(expiresAt).toLocaleString()}.`]),
  ]
}

export const setPolicy = async (frame: Frame, payload: SetPolicy, context: HandlerContext): Promise<WalletAnswer> => {
  const { accountAddress: address, policy, setId } = payload
  const asked = await startJob(frame, 'setPolicy', payload, context)
  const kept = await keptWallet(asked, address)
  const consent = frame.screen.visible
  const question = { title: 'Change what this wallet may do?', sentences: inWords(policy), action: 'Change' }
  const agree = async () =>
    agreeTo(frame.screen, question, { address, factor: await asked.factor(), signal: context.signal })
  const job = provedBy(asked, consent ? await agree() : undefined)
  const { wallet } = await frame.relay.post({
    path: `/wallets/${kept.walletId}/sets/${encodeURIComponent(setId)}/policy`,
    body: { policy: policy && wirePolicy(policy) },
    answer: oneWallet,
    authority: job.authority,
    device: { ...deviceOf(kept), consent },
  })
  return answer(job, wallet)
}
