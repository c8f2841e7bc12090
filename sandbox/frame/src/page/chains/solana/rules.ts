/** Describes a policy to the user who must agree to it: what it allows, and what no limit restricts. */
import type { Policy } from '@keybay/waas/protocol'
import { inSol, inUnits } from '@keybay/waas/relay-client'
import type { Rules } from '../../core/chain-kit.js'
import { getTokenName } from './known-tokens.js'
import { ASSOCIATED, getProgramName, SYSTEM, TOKEN } from './programs.js'

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

interface Program {
  /**
   * Names by instruction number, the first bytes of the data. `!` marks an instruction that takes funds outside every
   * limit; an unlisted instruction counts as one too.
   */
  readonly instructions?: readonly string[]
  /** Bytes of an instruction number. */
  readonly bytes?: number
}

const system = `CreateAccount Assign! Transfer CreateAccountWithSeed AdvanceNonceAccount WithdrawNonceAccount!
  InitializeNonceAccount AuthorizeNonceAccount! Allocate! AllocateWithSeed AssignWithSeed! TransferWithSeed UpgradeNonceAccount`
const token = `InitializeMint InitializeAccount InitializeMultisig Transfer! Approve! Revoke SetAuthority! MintTo Burn
  CloseAccount! FreezeAccount ThawAccount TransferChecked ApproveChecked! MintToChecked BurnChecked InitializeAccount2
  SyncNative InitializeAccount3 InitializeMultisig2 InitializeMint2 GetAccountDataSize InitializeImmutableOwner`

function words(text: string): readonly string[] {
  return text.split(/\s+/)
}

const PROGRAMS: ReadonlyMap<string, Program> = new Map<string, Program>([
  [SYSTEM, { instructions: words(system), bytes: 4 }],
  ...[...TOKEN].map(id => [id, { instructions: words(token) }] as const),
  [ASSOCIATED, { instructions: words('Create CreateIdempotent RecoverNested') }],
])

/** @param start first bytes of the instruction's data, hex */
function getInstruction({ instructions, bytes = 1 }: Program, start: string) {
  const isNumber = /^0*$/.test(start.slice(2, 2 * bytes))
  const known = isNumber ? instructions?.[Number.parseInt(start.slice(0, 2), 16)] : undefined
  return { text: known?.replace('!', '') ?? `0x${start}`, takes: known?.endsWith('!') ?? instructions !== undefined }
}

function ruleInWords({ programId, instructions, uncapped }: Policy['programs'][number]): Rules {
  const program = PROGRAMS.get(programId)
  const programName = getProgramName(programId)
  const listed = instructions?.map(start => getInstruction(program ?? {}, start))
  const name = programName ? `${programName} (${programId})` : programId
  const all = program?.instructions ? 'all that the limits count' : 'all'
  const allowed = listed ? listed.map(({ text }) => text).join(', ') || 'nothing' : all
  const taking = listed?.filter(({ takes }) => takes).map(({ text }) => text) ?? []
  const unbound = uncapped ? name : taking.length > 0 && `${taking.join(', ')} of ${programName}`
  return {
    sentences: [`Program ${name}: ${allowed}.`],
    problems: unbound ? [`No limit binds ${unbound}: it can take everything.`] : [],
  }
}

function tokenInWords({ mint, decimals, dailyLimit }: NonNullable<Policy['tokens']>[number]): string {
  return `At most ${inUnits(dailyLimit, decimals)} a day of the token ${getTokenName(mint, decimals)}.`
}

export function rulesInWords(policy: Policy | null): Rules {
  if (!policy) return { sentences: ['The rules end. The wallet asks before each signature.'], problems: [] }
  const { dailyLimit, transactionLimit, programs, destinations, messages, expiresAt, otherwise, origin } = policy
  const rules = programs.map(ruleInWords)
  const tokens = policy.tokens ?? []
  return {
    sentences: [
      dailyLimit === undefined ? 'No limit a day.' : `At most ${inSol(dailyLimit)} a day.`,
      transactionLimit === undefined ? 'No limit for one transaction.' : `At most ${inSol(transactionLimit)} at once.`,
      ...(rules.length > 0 ? rules.flatMap(({ sentences }) => sentences) : ['Programs: none.']),
      ...tokens.map(tokenInWords),
      ...(!otherwise && programs.some(({ programId }) => TOKEN.has(programId))
        ? ['The limits are of SOL: tokens have none.']
        : []),
      `It may pay ${destinations ? destinations.join(', ') || 'no address' : 'any address'}.`,
      ...(otherwise
        ? [`Within these rules, ${origin ?? 'the app'} gets signatures unasked. For the rest, the wallet asks.`]
        : []),
      messages ? 'It may sign messages.' : `It may sign no messages${otherwise ? ' unasked' : ''}.`,
      ...(expiresAt === undefined ? [] : [`Nothing after ${moment.format(expiresAt)}.`]),
    ],
    problems: rules.flatMap(({ problems }) => problems),
  }
}
