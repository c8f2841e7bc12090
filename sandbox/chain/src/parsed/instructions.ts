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
import { ASSOCIATED_TOKEN, LOOKUP_TABLE, SYSTEM, TOKEN } from './layouts.js'
import { DataReader } from './program-data.js'

export interface CompiledInstruction {
  readonly programIdIndex: number
  readonly accounts: readonly number[]
  readonly data: Uint8Array
  readonly stackHeight: number
}

interface Program {
  readonly program: string
  readonly layouts: typeof TOKEN
  readonly number: (data: DataReader) => number
}

const u32: Program['number'] = data => data.u32()
const u8: Program['number'] = data => (data.done ? 0 : data.u8())

const PROGRAMS: Readonly<Record<string, Program>> = {
  [SYSTEM_PROGRAM]: { program: 'system', layouts: SYSTEM, number: u32 },
  [TOKEN_PROGRAM]: { program: 'spl-token', layouts: TOKEN, number: u8 },
  [TOKEN_2022_PROGRAM]: { program: 'spl-token-2022', layouts: TOKEN, number: u8 },
  [ASSOCIATED_TOKEN_PROGRAM]: { program: 'spl-associated-token-account', layouts: ASSOCIATED_TOKEN, number: u8 },
  [LOOKUP_TABLE_PROGRAM]: { program: 'address-lookup-table', layouts: LOOKUP_TABLE, number: u32 },
}

/** Returns an instruction in `jsonParsed` form; without a layout, returns program, accounts and data unchanged. */
export function instructionJson(input: CompiledInstruction, keys: readonly string[]): Record<string, unknown> {
  const { data, accounts, stackHeight } = input
  const programId = keys[input.programIdIndex] ?? ''
  if (programId === MEMO_PROGRAM || programId === MEMO_1_PROGRAM) {
    return { parsed: Buffer.from(data).toString('utf8'), program: 'spl-memo', programId, stackHeight }
  }
  const addresses = accounts.map(index => keys[index] ?? '')
  const known = PROGRAMS[programId]
  const parsed = known && tryParse(known, data, addresses)
  if (parsed) return { parsed, program: known.program, programId, stackHeight }
  return { accounts: addresses, data: bs58.encode(data), programId, stackHeight }
}

function tryParse({ layouts, number }: Program, bytes: Uint8Array, addresses: readonly string[]) {
  const data = new DataReader(bytes)
  try {
    return layouts[number(data)]?.({ data, addresses }) ?? null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
