/**
 * EVM accounts. The only implementation is `reconstructed`: Shamir over secp256k1, combined in one party's memory for one
 * signature and erased. It is not a threshold signature, and the UI and the wallet's fields say so.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { erase } from './bytes.js'
import { combineShares } from './combine.js'
import { fault, planInvalid } from './errors.js'
import type { KeyShare } from './types.js'

export interface EcdsaBackend {
  /** `threshold`: the key is never whole. `reconstructed`: it is whole while it signs. */
  readonly signing: 'threshold' | 'reconstructed'
  /**
   * @param shares a threshold of one secp256k1 set; all are erased.
   * @param hash 32 bytes, already hashed.
   * @returns r ‖ s ‖ v (27 or 28), 65 bytes, s in the lower half.
   * @throws as `combineShares`.
   */
  readonly sign: (shares: readonly KeyShare[], hash: Uint8Array) => Uint8Array
}

export const reconstructedBackend: EcdsaBackend = {
  signing: 'reconstructed',
  sign: (shares, hash) => {
    if (hash.length !== 32 || shares.some(({ set }) => set.curve !== 'secp256k1')) throw fault(planInvalid, 'ecdsa')
    const scalar = combineShares(shares)
    try {
      const [v = 0, ...rs] = secp256k1.sign(hash, scalar, { prehash: false, lowS: true, format: 'recovered' })
      return Uint8Array.of(...rs, v + 27)
    } finally {
      erase(scalar, ...shares.map(({ secret }) => secret))
    }
  },
}
