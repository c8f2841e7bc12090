/** Deals shares of a key, as the frame's parties hold them. */
import * as mpc from '@keybay/waas/mpc'

export type Shares = ReadonlyMap<mpc.Party, mpc.KeyShare>

let ceremonies = 0

export function getPlan(other: Partial<mpc.SetPlan> = {}): mpc.SetPlan {
  return {
    ceremonyId: `ceremony-${++ceremonies}`,
    walletId: 'wallet-1',
    setId: 'primary',
    epoch: 0,
    curve: 'ed25519',
    ...mpc.SCHEMES.TWO_OF_TWO,
    ...other,
  }
}

/** Deals a random imported key. */
export function dealShares(plan: mpc.SetPlan = getPlan()): Shares {
  const deal = mpc.dealImported(plan, crypto.getRandomValues(new Uint8Array(32)))
  const shares = deal.subShares.map(subShare => mpc.acceptDeal(plan, subShare.to, deal, subShare).share)
  return new Map(shares.map(share => [share.party, share]))
}

export function getShare(shares: Shares, party: mpc.Party): mpc.KeyShare {
  const share = shares.get(party)
  if (!share) throw new Error(`no share of ${party}`)
  return share
}
