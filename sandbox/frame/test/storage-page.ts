/** Offers the frame's own storage to a test in a page of Chromium, with real keys and the real worker. */
import { dealScalar, SCHEMES, solanaAddress } from '@keybay/waas/mpc'
import { newDeviceKey, publicJwk, signJws, verifyJws } from '@keybay/waas/relay-client'
import { workerKdf } from '../src/page/password/kdf.js'
import { openShare, sealShare } from '../src/page/store/keep.js'
import type { KeptSet } from '../src/page/store/kept.js'
import { webLocks } from '../src/page/store/locks.js'
import { newWrappingKey, seal, unseal } from '../src/page/store/seal.js'
import { openShareStore } from '../src/page/store/share-store.js'

const argon2id = workerKdf(() => new Worker('/worker.js', { type: 'module' }))
const user = 'user-1'

/** Makes a share of a real set, and the data stored with it. */
async function sample(store: ReturnType<typeof openShareStore>, password?: string) {
  const ids = { user, walletId: crypto.randomUUID(), setId: crypto.randomUUID() }
  const plan = { ...SCHEMES.TWO_OF_TWO, ...ids, ceremonyId: crypto.randomUUID(), epoch: 0, curve: 'ed25519' } as const
  const scalar = new Uint8Array(32).fill(7, 0, 31)
  const { set, subShares } = dealScalar(plan, scalar)
  const secret = subShares.find(({ to }) => to === 'C')?.secret ?? new Uint8Array()
  const share = await sealShare({ store, argon2id }, ids, { set, party: 'C', secret }, password)
  const stored: KeptSet = {
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
  return { kept: stored, secret }
}

const store = {
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
declare global {
  interface Window {
    store: typeof store
  }
}
window.store = store
