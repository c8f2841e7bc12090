import { tokenAmount } from '../tokens.js'
import {
  type DataReader,
  type InstructionInput,
  type Layout,
  layout,
  type ParsedInstruction,
  readInfo,
} from './program-data.js'

/** The instructions of a program, by number. */
type Layouts = Readonly<Record<number, Layout>>

function u8(data: DataReader): number {
  return data.u8()
}

function key(data: DataReader): string {
  return data.key()
}

function text(data: DataReader): string {
  return data.text()
}

/** A u64 as a JSON number: lamports, sizes and slots. */
function number(data: DataReader): number {
  return Number(data.u64())
}

function amount(data: DataReader): string {
  return data.u64().toString()
}

function uiAmount(data: DataReader): object {
  const value = data.u64()
  return tokenAmount(value, data.u8())
}

/** Reads a key behind a one-byte flag. */
function optionalKey(data: DataReader): string | undefined {
  return data.u8() === 1 ? data.key() : undefined
}

const NONCE = ['nonceAccount', 'recentBlockhashesSysvar']
const SEED = { base: key, seed: text }

export const SYSTEM: Layouts = {
  0: layout('createAccount', ['source', 'newAccount'], { fields: { lamports: number, space: number, owner: key } }),
  1: layout('assign', ['account'], { fields: { owner: key } }),
  2: layout('transfer', ['source', 'destination'], { fields: { lamports: number } }),
  3: layout('createAccountWithSeed', ['source', 'newAccount'], {
    fields: { ...SEED, lamports: number, space: number, owner: key },
  }),
  4: layout('advanceNonce', [...NONCE, 'nonceAuthority']),
  5: layout(
    'withdrawFromNonce',
    ['nonceAccount', 'destination', 'recentBlockhashesSysvar', 'rentSysvar', 'nonceAuthority'],
    { fields: { lamports: number } },
  ),
  6: layout('initializeNonce', [...NONCE, 'rentSysvar'], { fields: { nonceAuthority: key } }),
  7: layout('authorizeNonce', ['nonceAccount', 'nonceAuthority'], { fields: { newAuthorized: key } }),
  8: layout('allocate', ['account'], { fields: { space: number } }),
  9: layout('allocateWithSeed', ['account'], { fields: { ...SEED, space: number, owner: key } }),
  10: layout('assignWithSeed', ['account'], { fields: { ...SEED, owner: key } }),
  11: layout('transferWithSeed', ['source', 'sourceBase', 'destination'], {
    fields: { lamports: number, sourceSeed: text, sourceOwner: key },
  }),
  12: layout('upgradeNonce', ['nonceAccount']),
}

const ASSOCIATED = ['source', 'account', 'wallet', 'mint', 'systemProgram', 'tokenProgram']

export const ASSOCIATED_TOKEN: Layouts = { 0: layout('create', ASSOCIATED), 1: layout('createIdempotent', ASSOCIATED) }

const TABLE = ['lookupTableAccount', 'lookupTableAuthority']
const PAYER = ['payerAccount', 'systemProgram']

function extendLookupTable(input: InstructionInput): ParsedInstruction {
  const accounts = input.addresses.length >= 4 ? [...TABLE, ...PAYER] : TABLE
  const newAddresses = (data: DataReader) => Array.from({ length: Math.min(number(data), 256) }, () => data.key())
  return { type: 'extendLookupTable', info: readInfo(input, accounts, { fields: { newAddresses } }) }
}

export const LOOKUP_TABLE: Layouts = {
  0: layout('createLookupTable', [...TABLE, ...PAYER], { fields: { recentSlot: number, bumpSeed: u8 } }),
  1: layout('freezeLookupTable', TABLE),
  2: extendLookupTable,
  3: layout('deactivateLookupTable', TABLE),
  4: layout('closeLookupTable', [...TABLE, 'recipient']),
}

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
const MINT_FIELDS = { decimals: u8, mintAuthority: key, freezeAuthority: optionalKey }

function setAuthority(input: InstructionInput): ParsedInstruction {
  const authorityType = AUTHORITY_TYPES[input.data.u8()] ?? 'unknown'
  const subject = authorityType === 'mintTokens' || authorityType === 'freezeAccount' ? 'mint' : 'account'
  const fields = { authorityType: () => authorityType, newAuthority: (data: DataReader) => optionalKey(data) ?? null }
  return { type: 'setAuthority', info: readInfo(input, [subject], { fields, signer: 'authority' }) }
}

function extensionTypes(data: DataReader): readonly number[] | undefined {
  const types: number[] = []
  while (!data.done) types.push(data.u16())
  return types.length > 0 ? types : undefined
}

function transferCheckedWithFee(input: InstructionInput): ParsedInstruction | null {
  const { data } = input
  if (data.u8() !== 1) return null
  const [value, decimals] = [data.u64(), data.u8()]
  const fields = { tokenAmount: () => tokenAmount(value, decimals), feeAmount: () => tokenAmount(data.u64(), decimals) }
  const info = readInfo(input, ['source', 'mint', 'destination'], { fields, signer: 'authority' })
  return { type: 'transferCheckedWithFee', info }
}

/** Instructions of SPL Token, also in Token-2022, and its transfer with fee. */
export const TOKEN: Readonly<Record<number, (input: InstructionInput) => ParsedInstruction | null>> = {
  0: layout('initializeMint', ['mint', 'rentSysvar'], { fields: MINT_FIELDS }),
  1: layout('initializeAccount', ['account', 'mint', 'owner', 'rentSysvar']),
  3: layout('transfer', ['source', 'destination'], { fields: { amount }, signer: 'authority' }),
  4: layout('approve', ['source', 'delegate'], { fields: { amount }, signer: 'owner' }),
  5: layout('revoke', ['source'], { signer: 'owner' }),
  6: setAuthority,
  7: layout('mintTo', ['mint', 'account'], { fields: { amount }, signer: 'mintAuthority' }),
  8: layout('burn', ['account', 'mint'], { fields: { amount }, signer: 'authority' }),
  9: layout('closeAccount', ['account', 'destination'], { signer: 'owner' }),
  10: layout('freezeAccount', ['account', 'mint'], { signer: 'freezeAuthority' }),
  11: layout('thawAccount', ['account', 'mint'], { signer: 'freezeAuthority' }),
  12: layout('transferChecked', ['source', 'mint', 'destination'], {
    fields: { tokenAmount: uiAmount },
    signer: 'authority',
  }),
  13: layout('approveChecked', ['source', 'mint', 'delegate'], { fields: { tokenAmount: uiAmount }, signer: 'owner' }),
  14: layout('mintToChecked', ['mint', 'account'], { fields: { tokenAmount: uiAmount }, signer: 'mintAuthority' }),
  15: layout('burnChecked', ['account', 'mint'], { fields: { tokenAmount: uiAmount }, signer: 'authority' }),
  16: layout('initializeAccount2', ['account', 'mint', 'rentSysvar'], { fields: { owner: key } }),
  17: layout('syncNative', ['account']),
  18: layout('initializeAccount3', ['account', 'mint'], { fields: { owner: key } }),
  20: layout('initializeMint2', ['mint'], { fields: MINT_FIELDS }),
  21: layout('getAccountDataSize', ['mint'], { fields: { extensionTypes } }),
  22: layout('initializeImmutableOwner', ['account']),
  26: transferCheckedWithFee,
}
