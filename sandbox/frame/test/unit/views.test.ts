/** Tests the state of a wallet's backup, as far as one browser can know it. */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { codecs, dealScalar, encode, SCHEMES } from '@keybay/waas/mpc'
import { expect, it } from 'vitest'
import { type KnownSet, type KnownWallet, walletView } from '../../src/page/core/views.js'
import type { KeptBackup, KeptSet } from '../../src/page/store/kept.js'

function toBase64Url(bytes: Uint8Array) {
  return Buffer.from(bytes).toString('base64url')
}
/** Returns a set of any epoch, which these tests do not read. */
function getSet(setId: string, scheme: ThresholdSignatureScheme) {
  return encode(
    codecs.shareSet,
    dealScalar(
      { ceremonyId: 'c', walletId: 'w', setId, epoch: 0, curve: 'ed25519', ...SCHEMES[scheme] },
      new Uint8Array(32).fill(9, 0, 31),
    ).set,
  )
}
const deviceKey = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])

/** Returns the backup state of a wallet at the relay's epoch, with what this browser has of the wallet. */
function getState(
  backups: readonly KeptBackup[],
  {
    epoch = 1,
    kind = 'primary',
    scheme = 'TWO_OF_THREE',
  }: Partial<Pick<KeptSet, 'kind' | 'scheme'>> & { epoch?: number } = {},
) {
  const packages = { primary: getSet('primary', scheme), further: getSet('further', scheme) }
  const known = (setId: keyof typeof packages, of: KeptSet['kind'], at: number): KnownSet => {
    const said = { kind: of, epoch: at, status: 'active' } as const
    const owner = { iss: 'R1', env: 'local', sub: 'u', wallet: 'w', address: 'a', set: setId, scheme } as const
    const history = { policy: '', device: '', gen: 0, prev: '' }
    const claims = { ...owner, ...said, ...history, pub: toBase64Url(packages[setId]), transcript: '' }
    return { ...said, setId, createdAt: 1, name: '', record: '', claims }
  }
  const wallet: KnownWallet = {
    walletId: 'w',
    address: 'a',
    chainName: 'SOL',
    scheme,
    origin: 'seed',
    exportable: true,
    exported: false,
    createdAt: 1,
    sets: [known('primary', 'primary', epoch), known('further', 'device', 0)],
  }
  const setId = kind === 'primary' ? 'primary' : 'further'
  const at = kind === 'primary' ? epoch : 0
  const stored: KeptSet = {
    user: 'u',
    walletId: 'w',
    setId,
    kind,
    address: 'a',
    chainName: 'SOL',
    scheme,
    share: { epoch: at, set: packages[setId], sealed: { iv: new Uint8Array(12), data: new Uint8Array(48) } },
    backups,
    deviceKey,
    createdAt: 1,
  }
  return walletView(wallet, [stored]).backup
}

function backup(epoch: number, at = 5): KeptBackup {
  return { provider: 'icloud', epoch, at }
}

it('the backup state is “none” if the browser that makes backups has made none', () => {
  expect(getState([])).toEqual({ state: 'none', providers: [] })
  expect(getState([], { kind: 'device', scheme: 'TWO_OF_TWO' })).toEqual({ state: 'none', providers: [] })
})

it('the backup state is “current” if this browser has read back a backup of the newest epoch', () => {
  const current = { state: 'current', providers: ['icloud'], backedUpAt: 7 }
  expect(getState([backup(0), backup(1, 7)])).toEqual(current)
  expect(getState([backup(1, 7)], { kind: 'device' })).toEqual(current)
})

it('the backup state is “stale” if the browser that makes backups knows only older backups', () => {
  expect(getState([backup(0)])).toEqual({ state: 'stale', providers: ['icloud'], backedUpAt: 5 })
})

it('the backup state is “unverified” if another device made newer backups than this browser has seen', () => {
  expect(getState([], { kind: 'device' })).toEqual({ state: 'unverified', providers: [] })
  expect(getState([backup(0)], { kind: 'device' })).toEqual({
    state: 'unverified',
    providers: ['icloud'],
    backedUpAt: 5,
  })
})
