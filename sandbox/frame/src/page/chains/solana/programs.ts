/** Addresses of the programs that this wallet can read, and names of those and of others that the chain itself has. */
export const SYSTEM = '11111111111111111111111111111111'
export const SPL_TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const TOKEN: ReadonlySet<string> = new Set([SPL_TOKEN, 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'])
export const ASSOCIATED = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
export const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
export const MEMO: ReadonlySet<string> = new Set([
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
])

const NAMES: ReadonlyMap<string, string> = new Map([
  [SYSTEM, 'System'],
  ...[...TOKEN].map(id => [id, 'Token'] as const),
  [ASSOCIATED, 'Associated Token'],
  [COMPUTE_BUDGET, 'Compute Budget'],
  ...[...MEMO].map(id => [id, 'Memo'] as const),
  ['Stake11111111111111111111111111111111111111', 'Stake'],
  ['Vote111111111111111111111111111111111111111', 'Vote'],
  ['AddressLookupTab1e1111111111111111111111111', 'Address Lookup Table'],
  ['BPFLoaderUpgradeab1e11111111111111111111111', 'Upgradeable Loader'],
])

/** Returns the name of a program; undefined for a program that the wallet doesn't know. */
export function getProgramName(programId: string): string | undefined {
  return NAMES.get(programId)
}
