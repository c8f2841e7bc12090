/** What each scheme is, in a plain sentence each: who signs, what brings the wallet back, and what ends it. */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'

export type Place = 'device' | 'backup' | 'service' | 'second-service'
export interface Scheme {
  /** e.g. `2 of 3` */
  readonly name: string
  readonly threshold: number
  /** Where the parts of the key are. */
  readonly holders: readonly Place[]
  /** How it signs. */
  readonly signs: string
  /** What happens when a part is lost. */
  readonly loss: string
  /** What is lost is lost: said before it is chosen. */
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

/** Whether the key was ever whole, before the choice. */
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

/** How a wallet came to be, afterwards. */
export const origins = {
  seed: 'Made here; its key can be taken along',
  dkg: 'Made here; its key was never whole',
  imported: 'Imported; whoever had the key before may still have it',
} as const
/** Of a key that is put together for each signature. */
export const reconstructedOrigin = 'Made here by all its holders; whole only while it signs. It can be taken along'
