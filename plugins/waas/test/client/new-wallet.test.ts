// @vitest-environment happy-dom
/** What the kit checks before a wallet is created or imported: nothing reaches the frame where it must not be. */
import { createKeybay, systemClock, toKeybayError } from '@keybay/kernel'
import { BACKUP_PROVIDERS, THRESHOLD_SIGNATURE_SCHEMES, type ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { afterEach, describe, expect, it } from 'vitest'
import { waas } from '../../src/index.js'
import { SCHEMES } from '../../src/mpc/index.js'
import { checkPayload } from '../../src/protocol/check.js'
import {
  type BackupTarget,
  createReceiver,
  hasBackupShare,
  messageMalformed,
  waasProtocol,
} from '../../src/protocol/index.js'
import { REQUEST } from '../../src/protocol/wire.js'
import { installFrames, preparePage } from './frames.js'
import { standInAccount } from './stand-in-account.js'
import { standInWallet } from './stand-in-wallet.js'

preparePage()
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
  localStorage.clear()
})

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

let environments = 0

function open(embeddedWallets: Parameters<typeof standInAccount>[2] = {}) {
  const asked: (readonly [type: string, payload: unknown])[] = []
  const answer = (type: string) => (payload: unknown) => {
    asked.push([type, payload])
    return { wallet: standInWallet }
  }
  const frames = installFrames(() => ({
    getWallets: () => [],
    getWallet: () => ({ wallet: standInWallet, ready: true, needs: [] }),
    createWalletAccount: answer('createWalletAccount'),
    importPrivateKey: answer('importPrivateKey'),
    reshare: answer('reshare'),
  }))
  const standIn = { signed: [], proved: [], called: [] }
  const keybay = createKeybay({
    appName: 'Test',
    environmentId: `new-wallet-${++environments}`,
    baseApiUrl: 'http://localhost:4100/api/v0',
    logLevel: 'silent',
    plugins: [standInAccount(standIn, true, embeddedWallets), waas()],
  })
  ends.push(frames.restore, keybay.dispose)
  keybay.connectors.list() // the first look starts it
  return { keybay, asked, frames, standIn }
}

it.each(THRESHOLD_SIGNATURE_SCHEMES)('%s has a backup share where its holders say so', scheme => {
  expect(hasBackupShare(scheme)).toBe(SCHEMES[scheme].parties.includes('B1'))
})

describe.each(['the app', 'the environment'] as const)('with a scheme that %s names', names => {
  it.each(cells)(
    '%s of %s with backup %j reaches the frame, or is an error before it',
    async (operation, scheme, backup) => {
      const { keybay, asked, frames, standIn } = open(names === 'the app' ? {} : { thresholdSignatureScheme: scheme })
      const input = { privateKey: 'key', backup, ...(names === 'the app' && { scheme }) }
      const making = keybay.waas[operation](input)
      if (isAllowed(scheme, backup)) {
        await making
        expect(asked).toMatchObject([[expect.any(String), { thresholdSignatureScheme: scheme }]])
      } else {
        await expect(making).rejects.toMatchObject(UNSUPPORTED)
        expect([asked, frames.loaded, standIn.signed]).toEqual([[], [], []])
      }
    },
  )
})

describe('what the app and the environment do not name', () => {
  it.each(OPERATIONS)('%s makes a wallet of TWO_OF_THREE', async operation => {
    const { keybay, asked } = open()
    await keybay.waas[operation]({ backup: { provider: 'external' } })
    expect(asked).toMatchObject([
      [expect.any(String), { thresholdSignatureScheme: 'TWO_OF_THREE', backup: { provider: 'external' } }],
    ])
  })
})

it('a change to TWO_OF_TWO with a backup is an error before the frame is asked', async () => {
  const { keybay, asked } = open()
  const backup = { provider: 'external' } as const
  await expect(keybay.waas.reshare(standInWallet.accountAddress, { to: 'TWO_OF_TWO', backup })).rejects.toMatchObject(
    UNSUPPORTED,
  )
  expect(asked).toEqual([])
})

describe('where the environment has embedded wallets off', () => {
  const disabled = { code: 'embedded_wallets_disabled', message: expect.stringContaining('embeddedWallets.enabled') }

  it.each(OPERATIONS)('%s says so, also with a scheme, and nothing is loaded or signed', async operation => {
    const { keybay, asked, frames, standIn } = open({ enabled: false })
    for (const scheme of [undefined, ...THRESHOLD_SIGNATURE_SCHEMES])
      await expect(keybay.waas[operation]({ scheme })).rejects.toMatchObject(disabled)
    expect([asked, frames.loaded, standIn.signed]).toEqual([[], [], []])
  })
  it('connecting says so to a user without wallets, and existing wallets go on', async () => {
    const { keybay } = open({ enabled: false })
    await expect(keybay.connect('waas')).rejects.toMatchObject(disabled)
    await expect(keybay.waas.wallet(standInWallet.accountAddress)).resolves.toMatchObject({ ready: true })
    await expect(keybay.waas.reshare(standInWallet.accountAddress, { to: 'THREE_OF_FIVE' })).resolves.toMatchObject({
      wallet: standInWallet,
    })
  })
})

describe('the protocol of the frame', () => {
  const authority = { chainName: 'SOL', authToken: 'token', signedSessionId: 'signed' } as const
  const codeOf = (run: () => void): string | undefined => {
    try {
      run()
    } catch (error) {
      return toKeybayError(error).code
    }
    return undefined
  }
  it.each(cells)('takes or refuses %s of %s with backup %j as the client does', (operation, scheme, backup) => {
    const type = operation === 'createWallet' ? 'createWalletAccount' : 'importPrivateKey'
    const payload = { ...authority, thresholdSignatureScheme: scheme, backup }
    const code = codeOf(() => checkPayload(type, waasProtocol[type].payload, payload))
    expect(code).toBe(isAllowed(scheme, backup) ? undefined : UNSUPPORTED.code)
  })
  it('says what is malformed before it says what is unsupported', () => {
    const payload = { ...authority, thresholdSignatureScheme: 'TWO_OF_TWO', backup: { provider: 'nowhere' } }
    const { payload: schema } = waasProtocol.createWalletAccount
    expect(codeOf(() => checkPayload('createWalletAccount', schema, payload))).toBe(messageMalformed.code)
  })
  it('refuses a page that sends the request past the client, and no handler runs', async () => {
    const { port1, port2 } = new MessageChannel()
    let ran = false
    const createWalletAccount = () => {
      ran = true
      return { wallet: standInWallet }
    }
    const receiver = createReceiver(waasProtocol, port2, { createWalletAccount }, { clock: systemClock })
    const answered = new Promise(resolve => {
      port1.onmessage = ({ data }) => JSON.stringify(data).includes('code') && resolve(data)
    })
    const payload = { ...authority, thresholdSignatureScheme: 'TWO_OF_TWO', backup: { provider: 'external' } }
    port1.postMessage([REQUEST, 1, 'createWalletAccount', payload])
    expect(JSON.stringify(await answered)).toContain(UNSUPPORTED.code)
    expect(ran).toBe(false)
    receiver.close()
    port1.close()
  })
})
