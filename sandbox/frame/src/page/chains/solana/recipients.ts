/** Finds the wallets behind the token accounts that a transaction sends to, and checks what the node says of them. */
import type { TransactionMessage } from '@keybay/waas/relay-client'
import { isDerivedFrom } from './derive.js'
import type { TokenAccount } from './rpc.js'
import { readAnyTransfer } from './token-fee.js'
import { isTo, readOpening, readPlainTransfer } from './tokens.js'

export interface Recipient {
  /** Wallet that the account belongs to, as the node says. */
  readonly owner: string
  /** True if the address of the account is derived from the owner's, so that the node cannot have made it up. */
  readonly isVerified: boolean
  /** Token of the account, verified with the owner. */
  readonly mint: string
}
export interface Recipients {
  /** Token account → its owner. */
  readonly owners: ReadonlyMap<string, Recipient>
  readonly problems: readonly string[]
}

type TokenAccounts = ReadonlyMap<string, TokenAccount | undefined>

/** @param tokenAccounts the transaction's accounts, as the node says */
export async function findRecipients(
  { instructions }: TransactionMessage,
  tokenAccounts: TokenAccounts,
): Promise<Recipients> {
  const owners = new Map<string, Recipient>()
  const problems = new Set<string>()
  const openings = instructions.flatMap(instruction => readOpening(instruction) ?? [])
  for (const instruction of instructions) {
    const transfer = readAnyTransfer(instruction)?.transfer
    const to = (transfer ?? readPlainTransfer(instruction))?.to
    const account = to === undefined ? undefined : tokenAccounts.get(to)
    if (to === undefined || !account) continue
    const { mint = account.mint } = transfer ?? {}
    if (account.mint !== mint || account.program !== instruction.programId) {
      problems.add(`The network says that the account ${to} is not for this token.`)
      continue
    }
    const opening = openings.find(each => isTo(each, { to, mint }))
    if (opening && opening.owner !== account.owner)
      problems.add(`The network says that the account ${to} belongs to another wallet, ${account.owner}.`)
    const isVerified = await isDerivedFrom(to, account)
    if (!isVerified && !opening)
      problems.add(`The account ${to} is not the usual one of its owner. Check the owner with the recipient.`)
    owners.set(to, { owner: account.owner, isVerified, mint: account.mint })
  }
  return { owners, problems: [...problems] }
}

/**
 * Returns the owners that the transaction names for token accounts that are not theirs. The chain refuses to open those, but the
 * user may have signed: no address may become known by them.
 */
export async function findFalseOwners({ instructions }: TransactionMessage): Promise<ReadonlySet<string>> {
  const openings = instructions.flatMap(instruction => readOpening(instruction) ?? [])
  const areDerived = await Promise.all(openings.map(opening => isDerivedFrom(opening.account, opening)))
  return new Set(openings.flatMap(({ owner }, index) => (areDerived[index] ? [] : owner)))
}
