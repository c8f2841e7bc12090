// @vitest-environment happy-dom
/** The kit's checks before a wallet is created or imported. */
import { toKeybayError } from '@keybay/kernel'
import { BACKUP_PROVIDERS, THRESHOLD_SIGNATURE_SCHEMES, type ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { describe, expect, it } from 'vitest'
import { SCHEMES } from '../../src/mpc/index.js'
import { checkPayload } from '../../src/protocol/check.js'
import { type BackupTarget, hasBackupShare, messageMalformed, waasProtocol } from '../../src/protocol/index.js'
import { type KitOptions, open as openKit } from './kit.js'
import { standInWallet } from './stand-in-wallet.js'

const UNSUPPORTED = {
  code: 'backup_unsupported',
  message: 'TWO_OF_TWO has no backup share. Use TWO_OF_THREE, or leave out backup.',
}
const OPERATIONS = ['createWallet', 'importPrivateKey'] as const
const BACKUPS: readonly (BackupTarget | undefined)[] = [
  undefined,
  ...BACKUP_PROVIDERS.map(provider => ({ provider })),
  { provider: 'external', keeper: 'host' },
  { provider: 'external', keeper: 'file', password: 'correct horse' },
  { provider: 'dynamic', passkey: true },
]
const cells = OPERATIONS.flatMap(operation =>
  THRESHOLD_SIGNATURE_SCHEMES.flatMap(scheme => BACKUPS.map(backup => [operation, scheme, backup] as const)),
)

function isAllowed(scheme: ThresholdSignatureScheme, backup: BackupTarget | undefined): boolean {
  return scheme !== 'TWO_OF_TWO' || backup === undefined
}

function open(embeddedWallets: KitOptions['embeddedWallets'] = {}) {
  const result = { wallet: standInWallet }
  const { received, ...kit } = openKit(
    {
      getWallets: () => [],
      getWallet: () => ({ ...result, ready: true, needs: [] }),
      createWalletAccount: () => result,
      importPrivateKey: () => result,
      reshare: () => result,
    },
    { embeddedWallets },
  )
  const changes = () => received.filter(([, type]) => !type.startsWith('getWallet')).map(([, , payload]) => payload)
  return { ...kit, changes }
}

it.each(THRESHOLD_SIGNATURE_SCHEMES)('%s has a backup share if a backup is among its parties', scheme => {
  expect(hasBackupShare(scheme)).toBe(SCHEMES[scheme].parties.includes('B1'))
})

function getProtocolError(operation: (typeof OPERATIONS)[number], payload: object): string | undefined {
  const type = operation === 'createWallet' ? 'createWalletAccount' : 'importPrivateKey'
  const authority = { chainName: 'SOL', authToken: 'token', signedSessionId: 'signed' }
  try {
    checkPayload(type, waasProtocol[type].payload, { ...authority, ...payload })
  } catch (error) {
    return toKeybayError(error).code
  }
  return undefined
}

describe.each(['the app', 'the environment'])('with a scheme that %s chooses', names => {
  it.each(cells)(
    'sends %s of %s with backup %j to the frame, or rejects it before, and the protocol agrees',
    async (operation, scheme, backup) => {
      const isOfApp = names === 'the app'
      const { keybay, changes, frames, signed } = open(isOfApp ? {} : { thresholdSignatureScheme: scheme })
      const result = keybay.waas[operation]({ privateKey: 'key', backup, ...(isOfApp && { scheme }) })
      if (isAllowed(scheme, backup)) {
        await result
        expect(changes()).toMatchObject([{ thresholdSignatureScheme: scheme }])
      } else {
        await expect(result).rejects.toMatchObject(UNSUPPORTED)
        expect([changes(), frames.loaded, signed]).toEqual([[], [], []])
      }
      const error = getProtocolError(operation, { thresholdSignatureScheme: scheme, backup })
      expect(error).toBe(isAllowed(scheme, backup) ? undefined : UNSUPPORTED.code)
    },
  )
})

it('the protocol reports a malformed backup before an unsupported backup', () => {
  const payload = { thresholdSignatureScheme: 'TWO_OF_TWO', backup: { provider: 'nowhere' } }
  expect(getProtocolError('createWallet', payload)).toBe(messageMalformed.code)
})

it.each(OPERATIONS)('%s without a scheme creates a TWO_OF_THREE wallet', async operation => {
  const { keybay, changes } = open()
  await keybay.waas[operation]({ backup: { provider: 'external' } })
  expect(changes()).toMatchObject([{ thresholdSignatureScheme: 'TWO_OF_THREE', backup: { provider: 'external' } }])
})

it('rejects a reshare to TWO_OF_TWO with a backup before it reaches the frame', async () => {
  const { keybay, changes } = open()
  const backup = { provider: 'external' } as const
  await expect(keybay.waas.reshare(standInWallet.accountAddress, { to: 'TWO_OF_TWO', backup })).rejects.toMatchObject(
    UNSUPPORTED,
  )
  expect(changes()).toEqual([])
})

describe('in an environment without embedded wallets', () => {
  const disabled = { code: 'embedded_wallets_disabled', message: expect.stringContaining('embeddedWallets.enabled') }

  it.each(OPERATIONS)(
    '%s rejects every scheme without embedded wallets enabled, and loads and signs nothing',
    async operation => {
      const { keybay, changes, frames, signed } = open({ enabled: false })
      for (const scheme of [undefined, ...THRESHOLD_SIGNATURE_SCHEMES])
        await expect(keybay.waas[operation]({ scheme })).rejects.toMatchObject(disabled)
      expect([changes(), frames.loaded, signed]).toEqual([[], [], []])
    },
  )
  it('without embedded wallets enabled, connecting rejects a user without wallets, and existing wallets work', async () => {
    const { keybay } = open({ enabled: false })
    await expect(keybay.connect('waas')).rejects.toMatchObject(disabled)
    await expect(keybay.waas.wallet(standInWallet.accountAddress)).resolves.toMatchObject({ ready: true })
    await expect(keybay.waas.reshare(standInWallet.accountAddress, { to: 'THREE_OF_FIVE' })).resolves.toMatchObject({
      wallet: standInWallet,
    })
  })
})
