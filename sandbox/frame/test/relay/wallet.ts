/** A user's wallet in a browser in Node, and relays that a test can make lie. */
import { settings } from '@keybay/sandbox-api/testing/client'
import { createOperator } from '@keybay/sandbox-relay/testing/operator'
import { newRelayKeys } from '@keybay/sandbox-relay/testing/relay-keys'
import { startWorld, type World } from '@keybay/sandbox-relay/testing/world'
import { atEndOfRun } from '@keybay/sandbox-tools/end-of-run'
import type { DelegateListing } from '@keybay/waas/delegate'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Device, type Intercept, openDevice, PASSWORD, type User } from './device.js'
import { createForger, lyingAbout, withLie } from './liar.js'

export const backup = { provider: 'external', keeper: 'host', password: PASSWORD } as const
export const DAY_MS = 86_400_000

const r1Keys = newRelayKeys()
export const forge = createForger(r1Keys)

type Relays = Awaited<ReturnType<typeof startRelays>>
let running: Relays | undefined

function getRelays(): Relays {
  if (!running) throw new Error('The relays start in beforeAll.')
  return running
}

export function getWorld(): World {
  return getRelays().world
}

/** Operator of R1. */
export const operator: Pick<Relays['operator'], 'setPolicy'> = {
  setPolicy: (setId, policy) => getRelays().operator.setPolicy(setId, policy),
}

async function startRelays(delegates: readonly DelegateListing[] = [], rpcUrl?: string) {
  const operator = createOperator()
  const local = { ...settings, embeddedWallets: { enabled: true, mostPerUser: 1000 } }
  const world = await startWorld({
    r1: { keys: r1Keys.keys, limitFactor: 10_000, openDatabase: operator.openDatabase },
    r2: { limitFactor: 10_000 },
    api: { environments: { local } },
    environment: { delegates: [...delegates], ...(rpcUrl && { rpcUrl }) },
  })
  return { world, operator }
}

/** Relays that files share: starting them takes seconds, and each test has its own users. */
let shared: Promise<Relays> | undefined

function share(): Promise<Relays> {
  if (shared) return shared
  const starting = startRelays()
  atEndOfRun(async () => (await starting).world.stop())
  shared = starting
  return starting
}

/**
 * Starts the API and both relays for a test file. Call it once, at the top.
 * @param delegates that the operator lists
 * @param rpcUrl node of the relays; default: none
 */
export function setUpRelays(delegates: readonly DelegateListing[] = [], rpcUrl?: string): void {
  const isShared = delegates.length === 0 && rpcUrl === undefined
  beforeAll(async () => {
    running = await (isShared ? share() : startRelays(delegates, rpcUrl))
  }, 120_000)
  afterAll(async () => {
    if (!isShared) await running?.world.stop()
  })
}

/** Opens a browser of a user. @param first another browser, whose backups this one can read */
export async function openBrowser(user?: User, first?: Device) {
  const owner = user ?? (await getWorld().user())
  const device = await openDevice(getWorld(), owner)
  for (const [place, envelope] of first?.backups ?? []) device.backups.set(place, envelope)
  const list = async (lie?: Intercept) => (await withLie(device, lie, () => device.send('getWallets', {})))[0]
  if (first) await list()
  return {
    user: owner,
    device,
    /** Lists the user's wallets. @returns the first one */
    list,
    /** Sweeps the store once a day. */
    async useDaily(days: number): Promise<void> {
      for (let day = 0; day < days; day++) {
        device.skewMs += DAY_MS
        await device.store.sweep(owner.userId, getWorld().r1.clock.now() + device.skewMs)
      }
    },
  }
}

/** Returns the operations of a wallet in a browser. */
export function useWallet(device: Device, accountAddress: string) {
  return {
    accountAddress,
    async signs(lie?: Intercept): Promise<void> {
      const signing = () => device.send('signMessage', { accountAddress, message: 'hello' })
      expect((await withLie(device, lie, signing)).signature).toHaveLength(64)
    },
    refresh: (lie?: Intercept) =>
      withLie(device, lie, () => device.send('refreshWalletAccountShares', { accountAddress, backup })),
    restore: (mode: 'add-device' | 'replace-device', lie?: Intercept) =>
      withLie(device, lie, () => device.send('restoreBackup', { accountAddress, backup, mode })),
    recovers: () => device.recovers(accountAddress),
  }
}

/** Creates a wallet of a new user. */
export async function openWallet(scheme: 'TWO_OF_TWO' | 'TWO_OF_THREE' = 'TWO_OF_THREE') {
  const browser = await openBrowser()
  const { device, list } = browser
  const request = { thresholdSignatureScheme: scheme, ...(scheme === 'TWO_OF_THREE' && { backup }) }
  const { wallet } = await device.send('createWalletAccount', request)
  await list()
  return { ...browser, ...useWallet(device, wallet.accountAddress) }
}

/** Opens a second browser, with its own set, of a user with a wallet. */
export async function openSecond() {
  const first = await openWallet()
  const second = await openBrowser(first.user, first.device)
  return { ...second, ...useWallet(second.device, first.accountAddress) }
}

/** Lists the sets of this kind as revoked. */
export function revoked(kind: string): Intercept {
  return lyingAbout(wallet => ({
    ...wallet,
    sets: wallet.sets.map(set => forge(set, claims => (claims.kind === kind ? { status: 'revoked' } : {}))),
  }))
}

/** Lists each set at another epoch, with another public package. */
export function listedAs(changes: (pub: string) => { readonly epoch: number; readonly pub: string }): Intercept {
  return lyingAbout(wallet => ({ ...wallet, sets: wallet.sets.map(set => forge(set, ({ pub }) => changes(pub))) }))
}
