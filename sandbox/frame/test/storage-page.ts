/** What the storage tests drive in a page of Chromium: the frame's own storage, with real keys and the real worker. */

import { workerKdf } from '../../src/frame/password/kdf.js'
import { newDeviceKey, publicJwk, signJws, verifyJws } from '../../src/frame/relay/device-key.js'
import { openShare, sealShare } from '../../src/frame/store/keep.js'
import type { KeptSet } from '../../src/frame/store/kept.js'
import { webLocks } from '../../src/frame/store/locks.js'
import { newWrappingKey, seal, unseal } from '../../src/frame/store/seal.js'
import { openShareStore } from '../../src/frame/store/share-store.js'
import { dealScalar, SCHEMES, solanaAddress } from '../../src/mpc/index.js'

const argon2id = workerKdf(() => new Worker('/worker.js', { type: 'module' }))
const user = 'user-1'

/** A share of a real set, and what is kept with it. */
async function sample(store: ReturnType<typeof openShareStore>, password?: string) {
  const ids = { user, walletId: crypto.randomUUID(), setId: crypto.randomUUID() }
  const plan = { ...SCHEMES.TWO_OF_TWO, ...ids, ceremonyId: crypto.randomUUID(), epoch: 0, curve: 'ed25519' } as const
  const scalar = new Uint8Array(32).fill(7, 0, 31)
  const { set, subShares } = dealScalar(plan, scalar)
  const secret = subShares.find(({ to }) => to === 'C')?.secret ?? new Uint8Array()
  const share = await sealShare({ store, argon2id }, ids, { set, party: 'C', secret }, password)
  const kept: KeptSet = {
    ...ids,
    kind: 'primary',
    address: solanaAddress(set),
    chainName: 'SOL',
    scheme: 'TWO_OF_TWO',
    share,
    backups: [],
    deviceKey: await newDeviceKey(),
    createdAt: Date.now(),
  }
  return { kept, secret }
}

export const pageTools = {
  user,
  argon2id,
  openShareStore,
  newWrappingKey,
  seal,
  unseal,
  webLocks,
  openShare,
  newDeviceKey,
  publicJwk,
  signJws,
  verifyJws,
  sample,
}
export type PageTools = typeof pageTools
