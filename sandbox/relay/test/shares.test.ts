/** Sealed shares: each opening gives its own copy of the secret, and only for the set that was sealed. */
import { randomBytes } from 'node:crypto'
import { createEnvelope } from '@keybay/sandbox-service/envelope'
import { eraseShare } from '@keybay/waas/mpc'
import { expect, it } from 'vitest'
import { newWallet } from '../src/bench/wallet.js'
import { openShare, sealShare } from '../src/store/shares.js'

const envelope = createEnvelope([new Uint8Array(randomBytes(32))])

function seal() {
  const share = newWallet().getShare('R1')
  const { setId: id, epoch } = share.set
  return { share, row: { environmentId: 'local', id, epoch, share: sealShare(envelope, 'local', share) } }
}

it('opens a share again with the same secret after the caller has erased the first one', () => {
  const { share, row } = seal()
  for (let opening = 0; opening < 3; opening++) {
    const opened = openShare(envelope, row)
    expect(opened).toEqual(share)
    if (opened) eraseShare(opened)
  }
})

it('opens no share for another set, environment or epoch, also after it was opened', () => {
  const { row } = seal()
  openShare(envelope, row)
  for (const other of [{ id: seal().row.id }, { environmentId: 'other' }, { epoch: 1 }])
    expect(() => openShare(envelope, { ...row, ...other })).toThrow()
})

it('opens another share of the same set by its own secret', () => {
  const { share, row } = seal()
  openShare(envelope, row)
  const other = { ...share, secret: newWallet().getShare('R1').secret }
  expect(openShare(envelope, { ...row, share: sealShare(envelope, 'local', other) })).toEqual(other)
})
