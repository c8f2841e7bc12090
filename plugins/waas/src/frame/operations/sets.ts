/** Share sets besides the primary one, and what each may do. */
import {
  type HandlerContext,
  type RevokeSet,
  type SetPolicy,
  type WalletAnswer,
  wirePolicy,
} from '../../protocol/index.js'
import type { Frame } from '../frame.js'
import { rulesInWords } from '../policy/rules.js'
import { oneWallet, type RelayWallet } from '../relay/answers.js'
import { assertPath } from '../relay/client.js'
import { agreeTo } from '../screen/questions.js'
import type { KeptSet } from '../store/kept.js'
import { deviceOf, type Job, provedBy, startJob } from './job.js'
import { keptWallet } from './share.js'
import { verifyWallet, walletView } from './views.js'

const answer = async ({ frame, user }: Job, wallet: RelayWallet): Promise<WalletAnswer> => {
  const known = await verifyWallet(frame, user, wallet)
  const kept = (await frame.store.list(user)).filter(({ walletId }) => walletId === wallet.walletId)
  return { wallet: walletView(known, kept) }
}

/** Before anybody is asked. @throws KeybayError `record_invalid` for what is no id */
const pathOf = ({ walletId }: KeptSet, setId: string, what: 'revoke' | 'policy'): string => {
  const path = `/wallets/${walletId}/sets/${encodeURIComponent(setId)}/${what}`
  assertPath(path)
  return path
}

/** As the relay listed it last; by its id, where that was before it was made. */
const nameOf = async ({ frame, user }: Job, { address }: KeptSet, setId: string): Promise<string> => {
  const set = (await frame.store.known(user, address))?.sets.find(one => one.setId === setId)
  const name = set?.name ? `“${set.name}”` : setId
  return set?.kind === 'delegate' ? name : `the ${set ? 'device' : 'set'} ${name}`
}

/** The relays erase their half: the set can never sign again, whoever has its other half. So the person is asked each time. */
export const revokeSet = async (frame: Frame, payload: RevokeSet, context: HandlerContext): Promise<WalletAnswer> => {
  const { accountAddress: address, setId } = payload
  const job = await startJob(frame, 'revokeSet', payload, context)
  const kept = await keptWallet(job, address)
  const path = pathOf(kept, setId, 'revoke')
  const isOwn = kept.setId === setId
  await agreeTo(
    frame.screen,
    {
      title: `Revoke ${isOwn ? 'this browser' : await nameOf(job, kept, setId)}?`,
      sentences: ['It can never sign for this wallet again.'],
      action: 'Revoke',
    },
    { address, signal: context.signal },
  )
  const { wallet } = await frame.relay.post({
    path,
    body: {},
    answer: oneWallet,
    authority: job.authority,
    device: { ...deviceOf(kept), consent: true },
  })
  if (isOwn) {
    frame.signers.forget(setId)
    await frame.store.remove(job.user, setId)
  }
  return answer(job, wallet)
}

export const setPolicy = async (frame: Frame, payload: SetPolicy, context: HandlerContext): Promise<WalletAnswer> => {
  const { accountAddress: address, policy, setId } = payload
  const asked = await startJob(frame, 'setPolicy', payload, context)
  const kept = await keptWallet(asked, address)
  const path = pathOf(kept, setId, 'policy')
  const consent = frame.screen.visible
  const agree = async () => {
    const whose = kept.setId === setId ? 'this wallet' : await nameOf(asked, kept, setId)
    const question = { title: `Change what ${whose} may do?`, ...rulesInWords(policy), action: 'Change' }
    return agreeTo(frame.screen, question, { address, factor: await asked.factor(), signal: context.signal })
  }
  const job = provedBy(asked, consent ? await agree() : undefined)
  const { wallet } = await frame.relay.post({
    path,
    body: { policy: policy && wirePolicy(policy) },
    answer: oneWallet,
    authority: job.authority,
    device: { ...deviceOf(kept), consent },
  })
  return answer(job, wallet)
}
