/** Offers, in the window that asks about a transfer, not to ask again for this app up to an amount a day. */
import { type Policy, wirePolicy } from '@keybay/waas/protocol'
import { oneWallet, type TransactionMessage } from '@keybay/waas/relay-client'
import type { Offer } from '../../core/chain-kit.js'
import { getDevice, type Job } from '../../core/job.js'
import { keptWallet } from '../../core/share.js'
import { verifyWallet } from '../../core/views.js'
import { checkbox, field, paragraph } from '../../screen/dom.js'
import { COMPUTE_BUDGET, SYSTEM } from './programs.js'
import { decideUnasked } from './unasked.js'

const MAX_SOL = 1_000_000

/** Returns the policy of a grant. @param dailyLimit lamports */
function grantOf(dailyLimit: bigint | undefined, origin: string): Policy {
  return {
    dailyLimit,
    programs: [{ programId: SYSTEM, instructions: ['02000000'] }, { programId: COMPUTE_BUDGET }],
    messages: false,
    otherwise: 'ask',
    origin,
  }
}

/** Returns undefined for a transaction that no grant would cover, and for a set with a policy of the user. */
export async function offerGrant(
  job: Job,
  address: string,
  transaction: TransactionMessage,
): Promise<Offer | undefined> {
  const { frame, user } = job
  const { hostOrigin } = frame
  const { setId } = await keptWallet(job, address)
  const agreement = await frame.store.agreement(user, setId)
  const whole = { policy: grantOf(undefined, hostOrigin), spent: {} }
  const isCovered = decideUnasked(whole, { transaction, address, hostOrigin, now: 0 }) !== undefined
  if (!isCovered || (agreement && agreement.policy.otherwise === undefined)) return undefined
  const box = checkbox('grant', `Don’t ask again when ${new URL(hostOrigin).host} sends SOL, up to an amount a day`)
  const hint = 'Fees count. For more, and for anything else, this window opens. You can end this under Security.'
  const amount = field(
    'SOL a day',
    { inputmode: 'decimal', autocomplete: 'off', maxlength: '12', disabled: true },
    hint,
  )
  box.input.addEventListener('change', () => {
    amount.input.disabled = !box.input.checked
    if (box.input.checked) amount.input.focus()
  })
  return {
    rows: [box.row, amount.row],
    read() {
      if (!box.input.checked) return undefined
      const [whole = '', part = ''] = amount.input.value.trim().replace(',', '.').split('.')
      const lamports =
        /^\d{1,7}(\.\d{1,9})?$/.test(`${whole}${part && `.${part}`}`) && BigInt(whole + part.padEnd(9, '0'))
      if (!lamports || Number(whole) > MAX_SOL) throw new Error('Enter how much SOL a day, such as 0.5.')
      return grantOf(lamports, hostOrigin)
    },
  }
}

/** Sets the grant at the relays, then here. */
async function setGrant(job: Job, address: string, grant: Policy): Promise<void> {
  const { frame, user, authority } = job
  const stored = await keptWallet(job, address)
  const { walletId, setId } = stored
  const { wallet } = await frame.relay.post({
    path: `/wallets/${walletId}/sets/${setId}/policy`,
    body: { policy: wirePolicy(grant) },
    answer: oneWallet,
    authority,
    device: { ...getDevice(stored), consent: true },
  })
  await verifyWallet(frame, user, wallet)
  await frame.store.changeAgreement(user, setId, now => ({ policy: grant, spent: now?.spent ?? {} }))
  await frame.store.keepKnown(user, wallet)
}

/** Sets the grant after the signature, which counts even if the grant fails: the user then reads so. */
export async function grantAfter(job: Job, address: string, grant: Policy): Promise<void> {
  const { frame, context } = job
  try {
    await setGrant(job, address, grant)
    context.progress({ step: 'granted', number: 1, of: 1 })
  } catch {
    const content = [
      paragraph('The transaction is signed. Your choice was not saved, so the wallet asks again next time.'),
    ]
    const notice = { title: 'Signed', content, action: 'Continue', signal: context.signal, read: () => undefined }
    await frame.screen.ask(notice).catch(() => undefined)
  }
}
