/**
 * Tests every error code at every step of every ceremony that holds key material: no share leaves the browser's
 * storage, and the next honest try works. The frame's operations, its storage and both relays are real; the test
 * replaces only the response.
 */
import { RELAY_ERROR_CODES, type RelayErrorCode } from '@keybay/sandbox-relay/testing/error-list'
import { createDelegateKeys, listingOf } from '@keybay/waas/delegate'
import bs58 from 'bs58'
import { describe, expect, it } from 'vitest'
import { type Device, heldBy } from './device.js'
import { refusing, withLie } from './liar.js'
import { backup, openBrowser, openSecond, openWallet, setUpRelays, useWallet } from './wallet.js'

const listing = listingOf('Salaries', await createDelegateKeys())
setUpRelays([listing])

/** Operation that can be repeated, in the browser that keeps its shares. */
interface Scene {
  readonly device: Device
  attempt(): Promise<unknown>
  /** Returns the wallet's address; a wallet created here has an address once it exists. */
  address(): Promise<string>
}

function newest(device: Device) {
  return async () => {
    const wallets = await device.send('getWallets', {})
    return wallets.toSorted((wallet, other) => other.createdAt - wallet.createdAt)[0]?.accountAddress ?? ''
  }
}

async function creating(): Promise<Scene> {
  const { device } = await openBrowser()
  const request = { thresholdSignatureScheme: 'TWO_OF_THREE', idempotencyKey: 'key', backup } as const
  return { device, attempt: () => device.send('createWalletAccount', request), address: newest(device) }
}

async function importing(): Promise<Scene> {
  const { device } = await openBrowser()
  const privateKey = bs58.encode(crypto.getRandomValues(new Uint8Array(32)))
  const request = { thresholdSignatureScheme: 'TWO_OF_THREE', privateKey, backup, idempotencyKey: 'key' } as const
  return { device, attempt: () => device.send('importPrivateKey', request), address: newest(device) }
}

async function refreshing(): Promise<Scene> {
  const { device, accountAddress, refresh } = await openWallet()
  return { device, address: async () => accountAddress, attempt: () => refresh(device.intercept) }
}

async function resharing(): Promise<Scene> {
  const { device, accountAddress } = await openWallet('TWO_OF_TWO')
  const schemes = { oldThresholdSignatureScheme: 'TWO_OF_TWO', newThresholdSignatureScheme: 'TWO_OF_THREE' } as const
  const attempt = () => device.send('reshare', { accountAddress, ...schemes, backup })
  return { device, address: async () => accountAddress, attempt }
}

function restoring(mode: 'add-device' | 'replace-device') {
  return async (): Promise<Scene> => {
    const { device, accountAddress, restore } = await openSecond()
    return { device, address: async () => accountAddress, attempt: () => restore(mode, device.intercept) }
  }
}
/** Joins from a new browser; the first browser admits it as soon as the request arrives. */
async function joining(): Promise<Scene> {
  const { user, device: first, accountAddress } = await openWallet('TWO_OF_TWO')
  const { device } = await openBrowser(user, first)
  const attempt = () => {
    const asking = device.send('addDevice', { accountAddress })
    const admit = () => first.send('addDevice', { accountAddress })
    const lie = device.intercept
    let end = () => {}
    const opened = new Promise<void>(resolve => {
      end = resolve
    })
    device.intercept = (path, send) => {
      const answer = lie?.(path, send) ?? send()
      if (path.endsWith('/joins/open')) answer.then(end, end)
      return answer
    }
    asking.then(end, end)
    // Of two admissions at once the second drops the first, so the next attempt waits for the end of this one.
    const admitted = opened.then(admit).catch(() => undefined)
    return asking.finally(() => admitted)
  }
  return { device, address: async () => accountAddress, attempt }
}

async function delegating(): Promise<Scene> {
  const { device, accountAddress } = await openWallet()
  const delegatePublicKey = new Uint8Array(Buffer.from(listing.sealingKey, 'base64url'))
  const policy = { programs: [], messages: true }
  const request = { accountAddress, delegatePublicKey, delegateName: listing.name, policy }
  return { device, address: async () => accountAddress, attempt: () => device.send('delegateKeyShares', request) }
}

async function backingUp(): Promise<Scene> {
  const { device, accountAddress } = await openWallet()
  const attempt = () => device.send('backupKeyShares', { accountAddress, backup })
  return { device, address: async () => accountAddress, attempt }
}

/** Returns the public packages of the shares that the browser keeps. */
async function getPackages(device: Device): Promise<readonly string[]> {
  return (await device.kept()).flatMap(set => heldBy(set).map(share => Buffer.from(share.set).toString('hex')))
}

async function signs({ device, address }: Scene): Promise<void> {
  await device.send('getWallets', {})
  await useWallet(device, await address()).signs()
}

type Open = () => Promise<Scene>
const STEPS: readonly (readonly [name: string, open: Open, step: string])[] = [
  ['create', creating, '/create/begin'],
  ['create', creating, '/create/open'],
  ['create', creating, '/create/finish'],
  ['import', importing, '/wallets/import'],
  ['refresh', refreshing, '/reshare/begin'],
  ['refresh', refreshing, '/reshare/commit'],
  ['reshare', resharing, '/reshare/begin'],
  ['reshare', resharing, '/reshare/commit'],
  ['addDevice', joining, '/joins/open'],
  ['addDevice', joining, '/joins/take'],
  ['addDevice', joining, '/reshare/commit'],
  ['restore', restoring('add-device'), '/reshare/begin'],
  ['restore', restoring('add-device'), '/reshare/commit'],
  ['replaceDevice', restoring('replace-device'), '/reshare/begin'],
  ['replaceDevice', restoring('replace-device'), '/reshare/commit'],
  ['delegate', delegating, '/reshare/begin'],
  ['backup', backingUp, '/backup'],
]

describe('an error instead of the step', () => {
  it.each(STEPS.map(([name, open, step]) => ({ name, open, step })))(
    '$name keeps every share through each error code at $step, and the next honest attempt succeeds',
    async ({ open, step }) => {
      const scene = await open()
      for (const code of RELAY_ERROR_CODES) {
        const before = await getPackages(scene.device)
        const outcome = withLie(scene.device, refusing(step, code, 'before'), scene.attempt)
        await expect(outcome, code).rejects.toMatchObject({ code })
        expect(await getPackages(scene.device), code).toEqual(expect.arrayContaining([...before]))
      }
      await scene.attempt()
      await signs(scene)
    },
    120_000,
  )
})

/** Error codes, one for each way in which a frame handles an error. */
const LOST: readonly RelayErrorCode[] = ['internal_error', 'ceremony_not_found', 'set_revoked', 'unauthorized']
const COMMITS = STEPS.filter(([, , step]) => /finish|import|commit/.test(step))
const cases = COMMITS.flatMap(([name, open, step]) => LOST.map(code => ({ name, open, step, code })))

describe('an error after the step', () => {
  it.each(cases)(
    '$name succeeds when $step answers $code after its work: the new share signs, and no share is lost',
    async ({ open, step, code }) => {
      const scene = await open()
      const before = await getPackages(scene.device)
      await withLie(scene.device, refusing(step, code, 'after'), () => scene.attempt().catch(() => undefined))
      const held = await getPackages(scene.device)
      expect(held.length).toBeGreaterThanOrEqual(Math.max(before.length, 1))
      await signs(scene)
      const [primary] = await scene.device.send('getWallets', {})
      expect(primary).toMatchObject({ here: true })
    },
    60_000,
  )
})
