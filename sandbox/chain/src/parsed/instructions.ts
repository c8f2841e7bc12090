import bs58 from 'bs58'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  LOOKUP_TABLE_PROGRAM,
  MEMO_1_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../programs.js'
import { type AccountAt, DataReader, type ParsedInstruction } from './program-data.js'
import { parseSystem } from './system.js'
import { parseToken } from './token.js'

export interface InstructionInput {
  readonly programIdIndex: number
  readonly accounts: readonly number[]
  readonly data: Uint8Array
  readonly stackHeight: number
}

type Parser = (data: DataReader, at: AccountAt, count: number) => ParsedInstruction | null

const PARSERS: Readonly<Record<string, { readonly program: string; readonly parse: Parser }>> = {
  [SYSTEM_PROGRAM]: { program: 'system', parse: parseSystem },
  [TOKEN_PROGRAM]: { program: 'spl-token', parse: parseToken },
  [TOKEN_2022_PROGRAM]: { program: 'spl-token-2022', parse: parseToken },
  [ASSOCIATED_TOKEN_PROGRAM]: { program: 'spl-associated-token-account', parse: parseAssociatedToken },
  [LOOKUP_TABLE_PROGRAM]: { program: 'address-lookup-table', parse: parseLookupTable },
}

/** Returns an instruction in `jsonParsed` form; without a parser, returns program, accounts and data unchanged. */
export function instructionJson(input: InstructionInput, keys: readonly string[]): Record<string, unknown> {
  const { data, accounts, stackHeight } = input
  const programId = keys[input.programIdIndex] ?? ''
  if (programId === MEMO_PROGRAM || programId === MEMO_1_PROGRAM) {
    return { parsed: Buffer.from(data).toString('utf8'), program: 'spl-memo', programId, stackHeight }
  }
  const addresses = accounts.map(index => keys[index] ?? '')
  const known = PARSERS[programId]
  const parsed = known && tryParse(known.parse, data, addresses)
  if (parsed) return { parsed, program: known.program, programId, stackHeight }
  return { accounts: addresses, data: bs58.encode(data), programId, stackHeight }
}

function tryParse(parse: Parser, data: Uint8Array, addresses: readonly string[]): ParsedInstruction | null {
  const at = (index: number) => {
    const address = addresses[index]
    if (address === undefined) throw new RangeError('no such account')
    return address
  }
  try {
    return parse(new DataReader(data), at, addresses.length)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function parseAssociatedToken(data: DataReader, at: AccountAt): ParsedInstruction | null {
  const instruction = data.done ? 0 : data.u8()
  if (instruction > 1) return null
  const info = { source: at(0), account: at(1), wallet: at(2), mint: at(3), systemProgram: at(4), tokenProgram: at(5) }
  return { type: instruction === 0 ? 'create' : 'createIdempotent', info }
}

function parseLookupTable(data: DataReader, at: AccountAt, count: number): ParsedInstruction | null {
  const table = { lookupTableAccount: at(0), lookupTableAuthority: at(1) }
  switch (data.u32()) {
    case 0: {
      const payer = { payerAccount: at(2), systemProgram: at(3) }
      const info = { ...table, ...payer, recentSlot: Number(data.u64()), bumpSeed: data.u8() }
      return { type: 'createLookupTable', info }
    }
    case 1:
      return { type: 'freezeLookupTable', info: table }
    case 2: {
      const newAddresses = Array.from({ length: Math.min(Number(data.u64()), 256) }, () => data.key())
      const payer = count >= 4 ? { payerAccount: at(2), systemProgram: at(3) } : {}
      return { type: 'extendLookupTable', info: { ...table, newAddresses, ...payer } }
    }
    case 3:
      return { type: 'deactivateLookupTable', info: table }
    case 4:
      return { type: 'closeLookupTable', info: { ...table, recipient: at(2) } }
    default:
      return null
  }
}
