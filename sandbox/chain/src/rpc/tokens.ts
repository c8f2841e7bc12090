import { isTokenProgram, TOKEN_PROGRAMS } from '../programs.js'
import { invalidParams } from '../rpc-error.js'
import { getDecimals, type Mint, readMint, readTokenAccount, type TokenAccount, tokenAmount } from '../tokens.js'
import type { AccountState } from '../vm.js'
import { accountFormat, keyedAccounts } from './accounts.js'
import { inContext, type Method, type Methods, method, type RpcContext, readAt } from './context.js'
import { Config, type Params, toPubkey } from './params.js'

const MAX_LARGEST_ACCOUNTS = 20

/** Yields all token accounts of one token program, or of both. */
function* tokenAccounts(
  { state }: RpcContext,
  programs: readonly string[],
): Generator<{ address: string; account: AccountState; token: TokenAccount }> {
  for (const program of programs) {
    for (const [address, account] of state.vm.getAccounts(program)) {
      const token = readTokenAccount(account)
      if (token) yield { address, account, token }
    }
  }
}

function mintAt({ state }: RpcContext, address: string): { mint: Mint; program: string } {
  const account = state.vm.account(address)
  if (!account) throw invalidParams('Invalid param: could not find account')
  const mint = readMint(account)
  if (!mint) throw invalidParams('Invalid param: not a Token mint')
  return { mint, program: account.owner }
}

/** Parses `{ mint }` or `{ programId }`, the second parameter of getTokenAccountsByOwner. */
function tokenFilter(context: RpcContext, value: unknown): { programs: readonly string[]; mint?: string } {
  const filter = Config.of(value)
  const mint = filter.value('mint')
  if (mint !== undefined) {
    const address = toPubkey(mint)
    const account = context.state.vm.account(address)
    if (!account) throw invalidParams('Invalid param: could not find mint')
    if (!readMint(account)) throw invalidParams('Invalid param: not a Token mint')
    return { programs: [account.owner], mint: address }
  }
  const program = toPubkey(filter.value('programId'))
  if (!isTokenProgram(program)) throw invalidParams('Invalid param: unrecognized Token program id')
  return { programs: [program] }
}

function tokenAccountsBy(holds: (token: TokenAccount, key: string) => boolean): Method {
  return method(2, (context: RpcContext, params: Params) => {
    const key = params.pubkey(0)
    const { programs, mint } = tokenFilter(context, params.value(1))
    const config = params.config(2)
    readAt(context, config)
    const accounts: [string, AccountState][] = []
    for (const { address, account, token } of tokenAccounts(context, programs)) {
      if (holds(token, key) && (mint === undefined || token.mint === mint)) accounts.push([address, account])
    }
    return inContext(context, keyedAccounts(context, accounts, accountFormat(config, 'binary')))
  })
}

/** RPC methods for SPL Token and Token-2022. Each call scans all token accounts: a sandbox holds few. */
export const tokenMethods: Methods = {
  getTokenAccountsByOwner: tokenAccountsBy((token, key) => token.owner === key),
  getTokenAccountsByDelegate: tokenAccountsBy((token, key) => token.delegate === key),
  getTokenAccountBalance: method(1, (context, params) => {
    const account = context.state.vm.account(params.pubkey(0))
    readAt(context, params.config(1))
    if (!account) throw invalidParams('Invalid param: could not find account')
    const token = readTokenAccount(account)
    if (!token) throw invalidParams('Invalid param: not a Token account')
    return inContext(context, tokenAmount(token.amount, getDecimals(context.state.vm, token.mint)))
  }),
  getTokenSupply: method(1, (context, params) => {
    const { mint } = mintAt(context, params.pubkey(0))
    readAt(context, params.config(1))
    return inContext(context, tokenAmount(mint.supply, mint.decimals))
  }),
  getTokenLargestAccounts: method(1, (context, params) => {
    const address = params.pubkey(0)
    readAt(context, params.config(1))
    const { mint, program } = mintAt(context, address)
    const holders = [
      ...tokenAccounts(
        context,
        TOKEN_PROGRAMS.filter(id => id === program),
      ),
    ]
      .filter(({ token }) => token.mint === address)
      .sort((a, b) => (a.token.amount < b.token.amount ? 1 : -1))
      .slice(0, MAX_LARGEST_ACCOUNTS)
    return inContext(
      context,
      holders.map(holder => ({ address: holder.address, ...tokenAmount(holder.token.amount, mint.decimals) })),
    )
  }),
}
