import bs58 from 'bs58'
import { type AccountEncoding, type AccountFormat, accountJson } from '../account-json.js'
import { invalidParams } from '../rpc-error.js'
import type { AccountState } from '../vm.js'
import { inContext, type Methods, method, type RpcContext, readAt } from './context.js'
import { Config, toInteger, toList, toPubkey, toText } from './params.js'

const ENCODINGS: readonly AccountEncoding[] = ['binary', 'base58', 'base64', 'base64+zstd', 'jsonParsed']
const MAX_MULTIPLE_ACCOUNTS = 100
const MAX_FILTERS = 4
const MAX_MEMCMP_BYTES = 128

export function accountFormat(config: Config, fallback: AccountEncoding): AccountFormat {
  const slice = config.nested('dataSlice')
  return {
    encoding: config.choice('encoding', ENCODINGS, fallback),
    ...(slice && { dataSlice: { offset: toInteger(slice.value('offset')), length: toInteger(slice.value('length')) } }),
  }
}

export type AccountFilter = (account: AccountState) => boolean

/** Parses the `filters` of getProgramAccounts and programSubscribe. @throws RpcError -32602 */
export function accountFilters(config: Config): AccountFilter[] {
  const list = config.value('filters')
  if (list === undefined) return []
  if (Array.isArray(list) && list.length > MAX_FILTERS) {
    throw invalidParams(`Too many filters provided; max ${MAX_FILTERS}`)
  }
  return toList(list, MAX_FILTERS, 'filters').map(entry => {
    if (entry === 'tokenAccountState') return account => account.data.length >= 165 && account.data[108] !== 0
    const filter = Config.of(entry)
    const size = filter.integer('dataSize')
    if (size !== undefined) return account => account.data.length === size
    const memcmp = filter.nested('memcmp')
    if (!memcmp) throw invalidParams('Invalid params: unknown filter, expected `dataSize` or `memcmp`.')
    return memcmpFilter(memcmp)
  })
}

function memcmpFilter(memcmp: Config): AccountFilter {
  const offset = toInteger(memcmp.value('offset'))
  const text = toText(memcmp.value('bytes'))
  const encoding = memcmp.choice('encoding', ['base58', 'base64'], 'base58')
  if (text.length > MAX_MEMCMP_BYTES * 2) throw invalidParams('Invalid param: encoded data too large')
  const bytes = encoding === 'base64' ? Buffer.from(text, 'base64') : bs58.decodeUnsafe(text)
  if (!bytes) throw invalidParams('Invalid param: invalid base58 encoding')
  if (bytes.length > MAX_MEMCMP_BYTES) throw invalidParams('Invalid param: decoded data too large')
  return ({ data }) => data.subarray(offset, offset + bytes.length).equals(bytes)
}

export function keyedAccounts(
  { state }: RpcContext,
  accounts: readonly (readonly [string, AccountState])[],
  format: AccountFormat,
): unknown[] {
  return accounts.map(([pubkey, account]) => ({ account: accountJson(state.vm, account, format), pubkey }))
}

export const accountMethods: Methods = {
  getBalance: method(1, (context, params) => {
    const address = params.pubkey(0)
    readAt(context, params.config(1))
    return inContext(context, context.state.vm.balance(address))
  }),
  getAccountInfo: method(1, (context, params) => {
    const address = params.pubkey(0)
    const config = params.config(1)
    readAt(context, config)
    const account = context.state.vm.account(address)
    const format = accountFormat(config, 'binary')
    return inContext(context, account && accountJson(context.state.vm, account, format))
  }),
  getMultipleAccounts: method(1, (context, params) => {
    const addresses = toList(params.value(0), MAX_MULTIPLE_ACCOUNTS, '').map(toPubkey)
    const config = params.config(1)
    readAt(context, config)
    const format = accountFormat(config, 'base64')
    const { vm } = context.state
    const accounts = addresses.map(address => vm.account(address))
    return inContext(
      context,
      accounts.map(account => account && accountJson(vm, account, format)),
    )
  }),
  getProgramAccounts: method(1, (context, params) => {
    const program = params.pubkey(0)
    const config = params.config(1)
    readAt(context, config)
    const filters = accountFilters(config)
    const accounts = context.state.vm.getAccounts(program).filter(([, account]) => filters.every(keep => keep(account)))
    const list = keyedAccounts(context, accounts, accountFormat(config, 'binary'))
    return config.flag('withContext') ? inContext(context, list) : list
  }),
  getMinimumBalanceForRentExemption: method(1, ({ state }, params) =>
    Number(state.vm.rentExemption(BigInt(params.integer(0)))),
  ),
}
