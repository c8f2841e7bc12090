/** Describes each scheme in plain sentences: who signs, what recovers the wallet, and what makes it unrecoverable. */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'

export type Place = 'device' | 'backup' | 'service' | 'second-service'
export interface Scheme {
  /** e.g. `2 of 3` */
  readonly name: string
  readonly threshold: number
  /** Places that hold the shares. */
  readonly holders: readonly Place[]
  /** Sentence that says which holders sign. */
  readonly signs: string
  /** Description of what happens when a share is lost. */
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

export function hasBackup(scheme: ThresholdSignatureScheme): boolean {
  return schemes[scheme].holders.includes('backup')
}

/** Labels, before the choice, that say whether the key was ever whole. */
export const kinds = {
  exportable: {
    name: 'You can take it along',
    sentence:
      'While the wallet is made the key is whole once, in the memory of the wallet’s own window, so that you can move to another wallet later.',
  },
  assembled: {
    name: 'Never assembled',
    sentence:
      'The key is never whole anywhere, not even once; you can send everything away, but never take the key along.',
  },
} as const

/** Labels, after creation, that say how the wallet was created. */
export const origins = {
  seed: 'Made here; its key can be taken along',
  dkg: 'Made here; its key was never whole',
  imported: 'Imported; whoever had the key before may still have it',
} as const
/** Label for a key that is reconstructed for each signature. */
export const reconstructedOrigin = 'Made here by all its holders; whole only while it signs. It can be taken along'
