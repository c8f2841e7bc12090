/** Runs the steps of a simulated world: real operations of the frame, the delegate and the relays. */

import { type Device, PASSWORD } from '../relay/device.js'
import { lyingAbout, otherPackage, withLie } from '../relay/liar.js'
import type { Browser } from './browser.js'
import { forgeRecord } from './forgeries.js'
import { DELEGATE_NAME } from './services.js'
import type { Action, Step } from './steps.js'
import { outcomeOf, type World } from './world.js'

const backup = { provider: 'external', keeper: 'host', password: PASSWORD } as const
const policy = { programs: [], messages: true }
/** Number of times that a new device looks for its share before the user gives up. */
const LOOKS = 3

type Named<T extends Action['do'], A = Action> = A extends { readonly do: infer D } ? (T extends D ? A : never) : never
type Acting<A> = (world: World, action: A) => Promise<string>

function getBrowser({ browsers }: World, index: number): Browser {
  const browser = browsers[index]
  if (!browser) throw new RangeError('no such browser')
  return browser
}

/** Runs an operation on the wallet of the browser's user. @returns `skipped` before there is a wallet */
function onWallet<A extends { readonly device: number }>(
  act: (device: Device, accountAddress: string, world: World, action: A) => Promise<unknown>,
): Acting<A> {
  return async (world, action) => {
    const browser = getBrowser(world, action.device)
    const address = world.addresses.get(browser.user.userId)
    if (address === undefined) return 'skipped'
    return outcomeOf(browser.run(device => act(device, address, world, action)))
  }
}

async function getScheme({ kept }: Device) {
  const [set] = (await kept()).filter(({ kind }) => kind === 'primary')
  return set?.scheme ?? 'TWO_OF_THREE'
}

const join: Acting<Named<'join'>> = onWallet(async (device, accountAddress, world, action) => {
  const { device: index } = action
  await device.send('getWallets', {})
  const other = getBrowser(world, index === 0 ? 1 : 0)
  let looks = 0
  const giveUp = () => {
    throw new TypeError('the user gave up')
  }
  const admit = async () => {
    looks++
    if (looks > LOOKS) giveUp()
    if (looks > 1) return
    const admitting = other.run(async admitter => {
      await admitter.send('getWallets', {})
      const stopWaiting = (path: string) => (path.endsWith('/joins/take') ? giveUp() : undefined)
      // It waits to be admitted itself if R1 no longer counts its share.
      return withLie(admitter, stopWaiting, () => admitter.send('addDevice', { accountAddress }))
    })
    await outcomeOf(admitting)
  }
  const admitted = withLie(
    device,
    (path, send) => (path.endsWith('/joins/take') ? admit().then(send) : undefined),
    () => device.send('addDevice', { accountAddress }),
  )
  return admitted
})

/** Makes the client choose this ID for its next set once the user has agreed, as a modified frame does. */
function chooseId(device: Device, id: string): void {
  const real = crypto.randomUUID
  device.whileAsked = async () => {
    const choose = () => {
      Object.assign(crypto, { randomUUID: real })
      return id
    }
    Object.assign(crypto, { randomUUID: choose })
  }
}

function delegating(world: World, device: Device, accountAddress: string) {
  const delegatePublicKey = new Uint8Array(Buffer.from(world.services.listing.sealingKey, 'base64url'))
  return device.send('delegateKeyShares', { accountAddress, delegatePublicKey, delegateName: DELEGATE_NAME, policy })
}

async function showRecords({ services, network }: World): Promise<void> {
  const rows = await services.relays.R1.read<{ record: string }>('select record from share_sets')
  for (const { record } of rows) {
    const body = JSON.stringify({ environmentId: 'local', record })
    const headers = { 'content-type': 'application/json' }
    await network.fetch('http://r2.delegate-0.sim/api/v0/peer/record', { method: 'POST', headers, body })
  }
}

const party: { readonly [name in 'kill' | 'snapshot' | 'put back']: Acting<Named<name>> } = {
  async kill({ services }, action) {
    services.relays[action.party].kill()
    return 'ok'
  },
  async snapshot({ services, snapshots }, action) {
    snapshots.set(action.party, await services.relays[action.party].snapshot())
    return 'ok'
  },
  async 'put back'({ services, snapshots, restored }, action) {
    const snapshot = snapshots.get(action.party)
    if (!snapshot) return 'skipped'
    restored.add(action.party)
    await services.relays[action.party].restore(snapshot)
    return 'ok'
  },
}

const ACTIONS: { readonly [name in Action['do']]: Acting<Named<name>> } = {
  ...party,
  join,
  async create(world, { device: index, scheme }) {
    const browser = getBrowser(world, index)
    if (world.addresses.has(browser.user.userId)) return 'skipped'
    const request = { thresholdSignatureScheme: scheme, ...(scheme !== 'TWO_OF_TWO' && { backup }) }
    return outcomeOf(browser.run(device => device.send('createWalletAccount', request)))
  },
  list: (world, action) => outcomeOf(getBrowser(world, action.device).run(device => device.send('getWallets', {}))),
  sign: onWallet((device, accountAddress) => device.send('signMessage', { accountAddress, message: 'hello' })),
  refresh: onWallet(async (device, accountAddress) => {
    const hasBackup = (await getScheme(device)) !== 'TWO_OF_TWO'
    return device.send('refreshWalletAccountShares', { accountAddress, ...(hasBackup && { backup }) })
  }),
  reshare: onWallet(async (device, accountAddress, _, { scheme }: Named<'reshare'>) =>
    device.send('reshare', {
      accountAddress,
      oldThresholdSignatureScheme: await getScheme(device),
      newThresholdSignatureScheme: scheme,
      ...(scheme !== 'TWO_OF_TWO' && { backup }),
    }),
  ),
  restore: onWallet(async (device, accountAddress, _, { mode }: Named<'restore'>) => {
    await device.send('getWallets', {})
    return device.send('restoreBackup', { accountAddress, backup, mode })
  }),
  backup: onWallet((device, accountAddress) => device.send('backupKeyShares', { accountAddress, backup })),
  delegate: onWallet(async (device, accountAddress, world) => {
    world.bundles.push(await delegating(world, device, accountAddress))
  }),
  revoke: onWallet(async (device, accountAddress, world, { set }: Named<'revoke'>) => {
    const setId = world.sets[set % world.sets.length]
    if (setId !== undefined) await device.send('revokeSet', { accountAddress, setId })
  }),
  policy: onWallet(async (device, accountAddress, _, { limit }: Named<'policy'>) => {
    const [set] = await device.kept()
    const request = { accountAddress, setId: set?.setId ?? '', policy: { ...policy, dailyLimit: BigInt(limit) } }
    return device.send('setPolicy', request)
  }),
  async accept({ delegate, bundles, delegated }) {
    const bundle = bundles.at(-1)
    if (!bundle) return 'skipped'
    const keep = async (wallet: Awaited<ReturnType<typeof delegate.accept>>) => void delegated.set(wallet.setId, wallet)
    return outcomeOf(delegate.accept(bundle.sealedShare, keep))
  },
  async 'delegate signs'({ delegate, delegated }) {
    const wallet = [...delegated.values()].at(-1)
    if (!wallet) return 'skipped'
    return outcomeOf(delegate.signMessage(wallet, new TextEncoder().encode('hello')))
  },
  async 'foreign begin'(world, { set }) {
    const setId = world.sets[set % world.sets.length]
    const browser = getBrowser(world, 2)
    const address = world.addresses.get(browser.user.userId)
    if (address === undefined || setId === undefined) return 'skipped'
    const dealing = (device: Device) => {
      chooseId(device, setId)
      return delegating(world, device, address)
    }
    return outcomeOf(browser.run(dealing))
  },
  'show record': world => outcomeOf(showRecords(world)),
  async 'forged record'(world, { set, what }) {
    let answer = 'skipped'
    const outcome = await outcomeOf(
      forgeRecord(world, set, what).then(code => {
        answer = code
      }),
    )
    return outcome === 'ok' ? answer : outcome
  },
  'forged list': (world, { device: index, status, epochs }) => {
    const { forge } = world.services
    const lie = lyingAbout(wallet => ({
      ...wallet,
      sets: wallet.sets.map(set =>
        forge(set, ({ epoch, pub }) => ({
          status,
          epoch: epoch + epochs,
          pub: epochs === 0 ? pub : otherPackage(pub, epoch + epochs),
        })),
      ),
    }))
    const listing = (device: Device) => withLie(device, lie, () => device.send('getWallets', {}))
    return outcomeOf(getBrowser(world, index).run(listing))
  },
  async 'deliver late'({ network }) {
    await network.deliverLate()
    return 'ok'
  },
  async sweep({ services }) {
    for (const relay of Object.values(services.relays)) await relay.sweep().catch(() => undefined)
    return 'ok'
  },
  async clock({ services }, { party, minutes }) {
    const name = party === 'device' ? 'device-0' : party
    services.time.offsets.set(name, minutes * 60_000)
    return 'ok'
  },
}

export function act(world: World, step: Step): Promise<string> {
  return Reflect.apply(ACTIONS[step.do], undefined, [world, step])
}
