/** Describes an instruction in words, where the sandbox wallet knows the instruction. */
import bs58 from 'bs58'
import type { Instruction } from './transaction.js'

const SYSTEM = '11111111111111111111111111111111'
const MEMO = new Set(['MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo'])
const PROGRAMS: Readonly<Record<string, string>> = {
  [SYSTEM]: 'System Program',
  ComputeBudget111111111111111111111111111111: 'Compute Budget',
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: 'Token Program',
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: 'Token-2022 Program',
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: 'Associated Token Account',
  AddressLookupTab1e1111111111111111111111111: 'Address Lookup Table',
  Stake11111111111111111111111111111111111111: 'Stake Program',
}
/** Index of Transfer among the System Program's instructions; 8 bytes of lamports follow, little-endian. */
const TRANSFER = 2
const LAMPORTS_PER_SOL = 1_000_000_000n

export type Summary =
  | { readonly kind: 'transfer'; readonly to: string; readonly lamports: bigint }
  | { readonly kind: 'memo'; readonly text: string }
  | { readonly kind: 'other'; readonly program: string; readonly accounts: number; readonly data: string }

export function describeInstruction({ program, accounts, data }: Instruction): Summary {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  if (program === SYSTEM && data.length === 12 && view.getUint32(0, true) === TRANSFER)
    return {
      kind: 'transfer',
      to: accounts[1] ?? 'an address from a lookup table',
      lamports: view.getBigUint64(4, true),
    }
  if (MEMO.has(program)) return { kind: 'memo', text: new TextDecoder().decode(data) }
  return { kind: 'other', program: PROGRAMS[program] ?? program, accounts: accounts.length, data: bs58.encode(data) }
}

/** Formats lamports exactly: 1500000000n → `1.5 SOL`. */
export function formatSol(lamports: bigint): string {
  const fraction = (lamports % LAMPORTS_PER_SOL).toString().padStart(9, '0').replace(/0+$/, '')
  return `${lamports / LAMPORTS_PER_SOL}${fraction && `.${fraction}`} SOL`
}
