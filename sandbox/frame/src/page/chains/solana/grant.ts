/** Offers, in the window that asks about a transfer, not to ask again for this app up to an amount a day. */
import { KeybayError } from '@keybay/kernel/spec'
import { type Policy, type TokenRule, wirePolicy } from '@keybay/waas/protocol'
import { inUnits, oneWallet, type TransactionMessage } from '@keybay/waas/relay-client'
import type { Offer } from '../../core/chain-kit.js'
import { getDevice, type Job } from '../../core/job.js'
import { keptWallet } from '../../core/share.js'
import { verifyWallet } from '../../core/views.js'
import { checkbox, field, paragraph } from '../../screen/dom.js'
import { getSymbol } from './known-tokens.js'
import { ASSOCIATED, COMPUTE_BUDGET, SYSTEM, TOKEN } from './programs.js'
import { readTransfer } from './tokens.js'
import { decideUnasked } from './unasked.js'

const SOL_DECIMALS = 9
/** A million SOL, in lamports. */
const MAX_LAMPORTS = 10n ** 15n
/** Largest amount of a token, in its smallest unit. */
const MAX_UNITS = 2n ** 64n - 1n
/** Limits of the relays. */
const [MAX_TOKENS, MAX_DECIMALS] = [8, 18] as const

const TOKEN_PROGRAMS: Policy['programs'] = [
  ...[...TOKEN].map(programId => ({ programId, instructions: ['0c'] })),
  { programId: ASSOCIATED },
]

/** Returns the policy of a grant. @param dailyLimit lamports */
function grantOf(dailyLimit: bigint | undefined, tokens: readonly TokenRule[], origin: string): Policy {
  return {
    dailyLimit,
    programs: [
      { programId: SYSTEM, instructions: ['02000000'] },
      { programId: COMPUTE_BUDGET },
      ...(tokens.length > 0 ? TOKEN_PROGRAMS : []),
    ],
    messages: false,
    otherwise: 'ask',
    origin,
    ...(tokens.length > 0 && { tokens }),
  }
}

/** Returns the tokens of a transaction that are not among these. */
function newTokens({ instructions }: TransactionMessage, granted: readonly TokenRule[]): readonly TokenRule[] {
  const sent = instructions.flatMap(instruction => readTransfer(instruction) ?? [])
  const tokens = new Map(sent.map(({ mint, decimals }) => [mint, { mint, decimals, dailyLimit: MAX_UNITS }]))
  return [...tokens.values()].filter(({ mint }) => !granted.some(token => token.mint === mint))
}

interface Asset {
  readonly name: string
  readonly decimals: number
  readonly most: bigint
  /** Limit of the present grant, which the field starts with. */
  readonly limit?: bigint | undefined
  readonly hint?: string | undefined
}

/** Asks for an amount a day. `read` throws an error that says what to enter. */
function amountField({ name, decimals, most, limit, hint }: Asset) {
  const value = limit === undefined ? undefined : inUnits(limit, decimals)
  const attributes = { inputmode: 'decimal', autocomplete: 'off', maxlength: '21', disabled: true, value }
  const { row, input } = field(`${name} a day`, attributes, hint)
  const read = (): bigint => {
    const [, whole = '', part = ''] = /^(\d{1,20})(?:[.,](\d+))?$/.exec(input.value.trim()) ?? []
    const amount = part.length <= decimals && whole ? BigInt(whole + part.padEnd(decimals, '0')) : 0n
    if (amount === 0n || amount > most)
      throw new Error(`Enter how much ${name} a day, such as ${decimals > 0 ? '0.5' : '5'}.`)
    return amount
  }
  return { row, input, read }
}

function nameOf({ mint, decimals }: TokenRule): string {
  return getSymbol(mint, decimals) ?? mint
}

interface Coverage {
  /** Tokens of the new grant: those of the present one, which keep their limits, and the transaction's. */
  readonly tokens: readonly TokenRule[]
  /** Present grant of the same app. */
  readonly present: Policy | undefined
}

/** Returns undefined for a transaction that no grant would cover, and for a set with a policy of the user. */
async function getCoverage(job: Job, address: string, transaction: TransactionMessage): Promise<Coverage | undefined> {
  const { frame, user } = job
  const { hostOrigin } = frame
  const { setId } = await keptWallet(job, address)
  const agreement = await frame.store.agreement(user, setId)
  if (agreement && agreement.policy.otherwise === undefined) return undefined
  const present = agreement?.policy.origin === hostOrigin ? agreement.policy : undefined
  const tokens = [...(present?.tokens ?? []), ...newTokens(transaction, present?.tokens ?? [])]
  if (tokens.length > MAX_TOKENS || tokens.some(({ decimals }) => decimals > MAX_DECIMALS)) return undefined
  const all = tokens.map(token => ({ ...token, dailyLimit: MAX_UNITS }))
  const whole = { policy: grantOf(undefined, all, hostOrigin), spent: {} }
  const isCovered = decideUnasked(whole, { transaction, address, hostOrigin, now: 0 }) !== undefined
  return isCovered ? { tokens, present } : undefined
}

/** Asks for an amount a day of SOL and of each token. */
function amountFields({ tokens, present }: Coverage) {
  const costs = tokens.length > 0 ? 'Fees and new token accounts count.' : 'Fees count.'
  const hint = `${costs} For more, and for anything else, this window opens. You can end this under Security.`
  const limit = present?.dailyLimit
  const sol = amountField({ name: 'SOL', decimals: SOL_DECIMALS, most: MAX_LAMPORTS, limit, hint })
  const amounts = tokens.map(token => {
    const { mint, decimals } = token
    const name = nameOf(token)
    const limit = present?.tokens?.find(granted => granted.mint === mint)?.dailyLimit
    return amountField({ name, decimals, most: MAX_UNITS, limit, hint: name === mint ? undefined : mint })
  })
  return { sol, amounts }
}

/** Returns undefined for a transaction that no grant would cover, and for a set with a policy of the user. */
export async function offerGrant(
  job: Job,
  address: string,
  transaction: TransactionMessage,
): Promise<Offer | undefined> {
  const { hostOrigin } = job.frame
  const coverage = await getCoverage(job, address, transaction)
  if (!coverage) return undefined
  const { tokens } = coverage
  const names = ['SOL', ...tokens.map(nameOf)].join(' and ')
  const { host } = new URL(hostOrigin)
  const box = checkbox('grant', `Don’t ask again when ${host} sends ${names}, up to an amount a day`)
  const { sol, amounts } = amountFields(coverage)
  const fields = [sol, ...amounts]
  const update = () => {
    const isChosen = box.input.checked
    for (const { row, input } of fields) {
      row.hidden = !isChosen
      input.disabled = !isChosen
    }
    if (isChosen) sol.input.focus()
  }
  update()
  box.input.addEventListener('change', update)
  return {
    rows: [box.row, ...fields.map(({ row }) => row)],
    read() {
      if (!box.input.checked) return undefined
      const dailyLimit = sol.read()
      const limits = amounts.map(({ read }) => read())
      const limited = tokens.map((token, index) => ({ ...token, dailyLimit: limits[index] ?? 0n }))
      return grantOf(dailyLimit, limited, hostOrigin)
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

/** Explains a refused grant: the relays grant no token whose mint can do more than its transfers say. */
function inWords(error: unknown): string {
  const isToken = error instanceof KeybayError && Reflect.get(Object(error.details), 'reason') === 'token'
  return isToken
    ? 'This token has rules of its own, so the wallet always asks about it.'
    : 'Your choice was not saved, so the wallet asks again next time.'
}

/** Sets the grant after the signature, which counts even if the grant fails: the user then reads so. */
export async function grantAfter(job: Job, address: string, grant: Policy): Promise<void> {
  const { frame, context } = job
  try {
    await setGrant(job, address, grant)
    context.progress({ step: 'granted', number: 1, of: 1 })
  } catch (error) {
    const content = [paragraph(`The transaction is signed. ${inWords(error)}`)]
    const notice = { title: 'Signed', content, action: 'Continue', only: 'action', signal: context.signal } as const
    await frame.screen.ask({ ...notice, read: () => undefined }).catch(() => undefined)
  }
}
