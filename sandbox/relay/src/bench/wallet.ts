/** A two-of-two wallet, dealt here. */
import { randomBytes, randomUUID } from 'node:crypto'
import { acceptDeal, dealImported, type KeyShare, SCHEMES, type SetPlan } from '@keybay/waas/mpc'

export function newWallet() {
  const ids = { ceremonyId: randomUUID(), walletId: randomUUID(), setId: randomUUID() }
  const plan: SetPlan = { ...ids, epoch: 0, curve: 'ed25519', ...SCHEMES.TWO_OF_TWO }
  const deal = dealImported(plan, new Uint8Array(randomBytes(32)))
  const getSubShare = (party: 'C' | 'R1') => deal.subShares.find(({ to }) => to === party)
  const getShare = (party: 'C' | 'R1'): KeyShare => {
    const subShare = getSubShare(party)
    if (!subShare) throw new Error(`nothing for ${party}`)
    return acceptDeal(plan, party, deal, { ...subShare, secret: new Uint8Array(subShare.secret) }).share
  }
  return { plan, deal, getShare }
}

/** Returns a transfer from the wallet to another address as the message of a legacy transaction. */
export function transfer(from: Uint8Array, lamports = 1n): Uint8Array {
  return Buffer.concat([
    Buffer.of(1, 0, 1, 3),
    from,
    randomBytes(32),
    Buffer.alloc(32),
    randomBytes(32),
    Buffer.of(1, 2, 2, 0, 1, 12, 2, 0, 0, 0),
    Buffer.from(new BigUint64Array([lamports]).buffer),
  ])
}
