/** Combines shares to the whole key: only for an export, and erased afterwards. */
import { equalBytes } from '@keybay/kernel/spec'
import { ed25519, ed25519_FROST } from '@noble/curves/ed25519.js'
import { concatBytes } from '@noble/curves/utils.js'
import { erase } from './bytes.js'
import { fault, groupKeyChanged, partyUnexpected, seedUnreadable, sharesMissing } from './errors.js'
import { getGroup } from './group.js'
import { sortParties } from './parties.js'
import { lagrange } from './polynomial.js'
import { openSeed } from './seed.js'
import { checkOneSet, checkShare, groupKey } from './set.js'
import type { KeyShare } from './types.js'

/**
 * Returns the group's secret scalar, 32 bytes, from a threshold of shares of one set and epoch. The caller erases it.
 * @throws `mpc_sets_mixed` or `mpc_share_invalid` naming the party; `mpc_party_unexpected` for a repeated party;
 *   `mpc_shares_missing`.
 */
export function combineShares(shares: readonly KeyShare[]): Uint8Array {
  const step = 'combine'
  const [first] = shares
  if (!first) throw fault(sharesMissing, step)
  checkOneSet(shares, step)
  const { set } = first
  const parties = sortParties(shares.map(({ party }) => party))
  const twice = shares.find(({ party }, i) => shares.findIndex(share => share.party === party) !== i)
  if (twice) throw fault(partyUnexpected, step, twice.party)
  if (parties.length < set.threshold) throw fault(sharesMissing, step)
  for (const share of shares) checkShare(share, step)
  const { Fn, base } = getGroup(set.curve)
  const scalar = shares.reduce(
    (sum, { party, secret }) => Fn.add(sum, Fn.mul(lagrange(set.curve, parties, party), Fn.fromBytes(secret))),
    Fn.ZERO,
  )
  if (!equalBytes(base(scalar), groupKey(set))) throw fault(groupKeyChanged, step)
  return Fn.toBytes(scalar)
}

/**
 * Returns the Solana key of an exportable wallet: seed ‖ address, 64 bytes, as other wallets import it
 * (`encodeSolanaKey` gives the text). The caller erases it.
 * @throws as `combineShares`; `mpc_seed_unreadable` for another wallet's seed.
 */
export function exportSolanaKey(shares: readonly KeyShare[], sealedSeed: Uint8Array): Uint8Array {
  const scalar = combineShares(shares)
  const set = shares[0]?.set
  try {
    if (!set) throw fault(sharesMissing, 'combine')
    const seed = openSeed(sealedSeed, scalar, set.walletId)
    const key = concatBytes(seed, ed25519.getPublicKey(seed))
    erase(seed)
    if (!equalBytes(key.subarray(32), groupKey(set))) {
      erase(key)
      throw fault(seedUnreadable, 'combine')
    }
    return key
  } finally {
    erase(scalar)
  }
}

/** Signs by a scalar (Ed25519), for the sweep of a wallet without a seed. The nonce is random. */
export function signWithScalar(scalar: Uint8Array, message: Uint8Array): Uint8Array {
  return ed25519_FROST.sign(message, scalar)
}
