import { tokenAmount } from '../tokens.js'
import type { AccountAt, DataReader, Info, ParsedInstruction } from './program-data.js'

const AUTHORITY_TYPES = [
  'mintTokens',
  'freezeAccount',
  'accountOwner',
  'closeAccount',
  'transferFeeConfig',
  'withheldWithdraw',
  'closeMint',
  'interestRate',
  'permanentDelegate',
] as const

/** Parses an instruction of SPL Token, also in Token-2022, or its transfer with fee. `count`: number of accounts. */
export function parseToken(data: DataReader, at: AccountAt, count: number): ParsedInstruction | null {
  /** One owner, or a multisignature account followed by its signers. */
  const signers = (index: number, name: string): Info => {
    if (count <= index + 1) return { [name]: at(index) }
    const multisig = `multisig${name[0]?.toUpperCase()}${name.slice(1)}`
    return { [multisig]: at(index), signers: Array.from({ length: count - index - 1 }, (_, i) => at(index + 1 + i)) }
  }
  const amount = () => data.u64().toString()
  const uiAmount = (name = 'tokenAmount') => {
    const value = data.u64()
    return { [name]: tokenAmount(value, data.u8()) }
  }
  const initializeMint = (type: string, extra: Info): ParsedInstruction => {
    const info = { mint: at(0), decimals: data.u8(), mintAuthority: data.key(), ...extra }
    const freezeAuthority = data.optionalKey()
    return { type, info: { ...info, ...(freezeAuthority && { freezeAuthority }) } }
  }

  switch (data.u8()) {
    case 0:
      return initializeMint('initializeMint', { rentSysvar: at(1) })
    case 1:
      return { type: 'initializeAccount', info: { account: at(0), mint: at(1), owner: at(2), rentSysvar: at(3) } }
    case 3: {
      const info = { source: at(0), destination: at(1), amount: amount(), ...signers(2, 'authority') }
      return { type: 'transfer', info }
    }
    case 4:
      return { type: 'approve', info: { source: at(0), delegate: at(1), amount: amount(), ...signers(2, 'owner') } }
    case 5:
      return { type: 'revoke', info: { source: at(0), ...signers(1, 'owner') } }
    case 6: {
      const authorityType = AUTHORITY_TYPES[data.u8()] ?? 'unknown'
      const target = data.optionalKey() ?? null
      const subject = authorityType === 'mintTokens' || authorityType === 'freezeAccount' ? 'mint' : 'account'
      const info = { [subject]: at(0), authorityType, newAuthority: target, ...signers(1, 'authority') }
      return { type: 'setAuthority', info }
    }
    case 7: {
      const info = { mint: at(0), account: at(1), amount: amount(), ...signers(2, 'mintAuthority') }
      return { type: 'mintTo', info }
    }
    case 8:
      return { type: 'burn', info: { account: at(0), mint: at(1), amount: amount(), ...signers(2, 'authority') } }
    case 9:
      return { type: 'closeAccount', info: { account: at(0), destination: at(1), ...signers(2, 'owner') } }
    case 10:
      return { type: 'freezeAccount', info: { account: at(0), mint: at(1), ...signers(2, 'freezeAuthority') } }
    case 11:
      return { type: 'thawAccount', info: { account: at(0), mint: at(1), ...signers(2, 'freezeAuthority') } }
    case 12: {
      const info = { source: at(0), mint: at(1), destination: at(2), ...uiAmount(), ...signers(3, 'authority') }
      return { type: 'transferChecked', info }
    }
    case 13: {
      const info = { source: at(0), mint: at(1), delegate: at(2), ...uiAmount(), ...signers(3, 'owner') }
      return { type: 'approveChecked', info }
    }
    case 14: {
      const info = { mint: at(0), account: at(1), ...uiAmount(), ...signers(2, 'mintAuthority') }
      return { type: 'mintToChecked', info }
    }
    case 15: {
      const info = { account: at(0), mint: at(1), ...uiAmount(), ...signers(2, 'authority') }
      return { type: 'burnChecked', info }
    }
    case 16: {
      const info = { account: at(0), mint: at(1), owner: data.key(), rentSysvar: at(2) }
      return { type: 'initializeAccount2', info }
    }
    case 17:
      return { type: 'syncNative', info: { account: at(0) } }
    case 18:
      return { type: 'initializeAccount3', info: { account: at(0), mint: at(1), owner: data.key() } }
    case 20:
      return initializeMint('initializeMint2', {})
    case 21: {
      const extensionTypes: number[] = []
      while (!data.done) extensionTypes.push(data.u16())
      return { type: 'getAccountDataSize', info: { mint: at(0), ...(extensionTypes.length > 0 && { extensionTypes }) } }
    }
    case 22:
      return { type: 'initializeImmutableOwner', info: { account: at(0) } }
    case 26:
      return data.u8() === 1 ? transferCheckedWithFee(data, at, signers) : null
    default:
      return null
  }
}

function transferCheckedWithFee(
  data: DataReader,
  at: AccountAt,
  signers: (index: number, name: string) => Info,
): ParsedInstruction {
  const value = data.u64()
  const decimals = data.u8()
  const amounts = { tokenAmount: tokenAmount(value, decimals), feeAmount: tokenAmount(data.u64(), decimals) }
  const info = { source: at(0), mint: at(1), destination: at(2), ...amounts, ...signers(3, 'authority') }
  return { type: 'transferCheckedWithFee', info }
}
