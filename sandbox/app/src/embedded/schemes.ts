/** Describes each scheme in plain sentences: who signs, what recovers the wallet, and what makes it unrecoverable. */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import type { GlyphName } from '@keybay/react/ui'
import type { AccountChain, Policy, WaasWallet } from '@keybay/waas'

export type Place = 'device' | 'backup' | 'service' | 'second-service'
export interface Scheme {
  /** e.g. `2 of 3` */
  readonly name: string
  readonly threshold: number
  /** Places that hold the shares. */
  readonly holders: readonly Place[]
  /** Sentence that says which holders sign. */
  readonly signs: string
  readonly loss: string
  /** A lost share cannot be replaced; shown before the user chooses. */
  readonly isFragile: boolean
}

export const schemes: { readonly [S in ThresholdSignatureScheme]: Scheme } = {
  TWO_OF_THREE: {
    name: '2 of 3',
    threshold: 2,
    holders: ['device', 'backup', 'service'],
    signs: 'This device and the service sign together; your backup is a third part that can stand in for either.',
    loss: 'You can lose any one part: the other two still reach your money.',
    isFragile: false,
  },
  TWO_OF_TWO: {
    name: '2 of 2',
    threshold: 2,
    holders: ['device', 'service'],
    signs: 'This device and the service sign together, and there is no backup.',
    loss: 'It ends with this device, or with the service: whichever goes first takes your money with it.',
    isFragile: true,
  },
  THREE_OF_FIVE: {
    name: '3 of 5',
    threshold: 3,
    holders: ['device', 'backup', 'backup', 'service', 'second-service'],
    signs: 'This device and two separate services sign together; your backup holds two more parts.',
    loss: 'You can lose any two parts, but your backup counts as two.',
    isFragile: false,
  },
}
export const schemeNames: readonly ThresholdSignatureScheme[] = ['TWO_OF_THREE', 'TWO_OF_TWO', 'THREE_OF_FIVE']

/** Returns the scheme to offer first instead of another: the first with a backup, never one that a lost device ends. */
export function getNextScheme(from: ThresholdSignatureScheme): ThresholdSignatureScheme {
  return schemeNames.find(scheme => scheme !== from && !schemes[scheme].isFragile) ?? 'TWO_OF_THREE'
}

/** Returns true if this browser has the first share set, which alone can change the key shares. */
export function ownsPrimary({ sets }: WaasWallet): boolean {
  return sets.some(({ kind, here }) => kind === 'primary' && here)
}

export function hasBackup(scheme: ThresholdSignatureScheme): boolean {
  return schemes[scheme].holders.includes('backup')
}

/** Kinds of a new wallet: whether the key is ever whole. */
export const kinds = [
  {
    value: 'exportable',
    name: 'You can take it along',
    says: 'While the wallet is made the key is whole once, in the memory of the wallet’s own window, so that you can move to another wallet later.',
  },
  {
    value: 'assembled',
    name: 'Never assembled',
    says: 'The key is never whole anywhere, not even once; you can send everything away, but never take the key along.',
  },
] as const

/** Labels, after creation, that say how the wallet was created. */
export const origins = {
  seed: 'Made here; its key can be taken along',
  dkg: 'Made here; its key was never whole',
  imported: 'Imported; copies of the key made before still work',
} as const
/** Label for a key that is reconstructed for each signature. */
export const reconstructedOrigin = 'Made here by all its holders; whole only while it signs. It can be taken along'

export const chainNames: { readonly [C in AccountChain]: string } = { SOL: 'Solana', EVM: 'Ethereum', BTC: 'Bitcoin' }

/** Chains of new wallets, and how a key of each one signs, shown before the user chooses. */
export const chains = [
  { value: 'SOL', name: chainNames.SOL, says: 'Device and service sign together; the key is not put together for it.' },
  {
    value: 'EVM',
    name: chainNames.EVM,
    says: 'The key is put together in the wallet frame for each signature, and erased. You are asked each time, and no rules can be set.',
  },
  {
    value: 'BTC',
    name: chainNames.BTC,
    says: 'A taproot account: device and service sign together, and the key is not put together. You are asked each time, and no rules can be set.',
  },
] as const

export function chainOf({ chainName }: Pick<WaasWallet, 'chainName'>): AccountChain {
  return chainName === 'EVM' || chainName === 'BTC' ? chainName : 'SOL'
}

export const places: {
  readonly [P in Place]: { readonly name: string; readonly icon: GlyphName; readonly says: string }
} = {
  device: { name: 'Device', icon: 'device', says: 'in the wallet’s own frame, in this browser' },
  backup: { name: 'Backup', icon: 'key', says: 'in your file, sealed by your password or recovery code' },
  service: { name: 'Service', icon: 'host', says: 'at the relay, which signs with you' },
  'second-service': { name: 'Second service', icon: 'host', says: 'at another relay, run apart from the first' },
}

/** Programs whose cost can be counted: SOL transfers, priority fees and memos. */
const PROGRAMS: Policy['programs'] = [
  { programId: '11111111111111111111111111111111', instructions: ['02000000'] },
  { programId: 'ComputeBudget111111111111111111111111111111' },
  { programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' },
]

/** @param dailyLimit lamports */
export function getPolicy(dailyLimit: bigint, messages: boolean): Policy {
  return { dailyLimit, programs: PROGRAMS, messages }
}
