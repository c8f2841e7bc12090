/** Services of all simulated worlds: a product API, two relays on databases that stay, users and a delegate. */
import { createPublicKey } from 'node:crypto'
import { createKit, newKey, settings, startWorld as startApi } from '@keybay/sandbox-api/testing/client'
import { asPeer } from '@keybay/sandbox-relay/testing/frame/peer'
import { newRelayKeys } from '@keybay/sandbox-relay/testing/relay-keys'
import { openSimulatedRelay, type SimulatedRelay, type Snapshot } from '@keybay/sandbox-relay/testing/simulated/relay'
import { APP } from '@keybay/sandbox-relay/testing/world'
import { createDelegateKeys, listingOf } from '@keybay/waas/delegate'
import { createForger } from '../relay/liar.js'
import type { Network } from './network.js'

export const DELEGATE_NAME = 'Salaries'
const KEK = Buffer.alloc(32, 7).toString('base64url')

/** Time of a world: one clock, and the offset of each party's clock from it, in ms. */
export interface Time {
  now: number
  readonly offsets: Map<string, number>
}

export type Services = Awaited<ReturnType<typeof startServices>>

/** @param getNetwork returns the network of the running world */
export async function startServices(getNetwork: () => Pick<Network, 'fetch' | 'take'>) {
  const time: Time = { now: Date.now(), offsets: new Map() }
  const clockOf = (party: string) => ({ now: () => time.now + (time.offsets.get(party) ?? 0) })
  const r1Keys = newRelayKeys()
  const recordKey = createPublicKey(r1Keys.recordKey).export({ format: 'jwk' })
  const realFetch = globalThis.fetch
  const api = await startApi({
    mode: 'sandbox',
    clock: clockOf('api'),
    limitFactor: 1_000_000,
    recordKeys: async () => [{ kty: 'EC', crv: 'P-256', x: recordKey.x ?? '', y: recordKey.y ?? '' }],
    environments: { local: { ...settings, embeddedWallets: { enabled: true, mostPerUser: 1_000_000 } } },
  })
  // The relays' code reaches the network with the global `fetch`.
  globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    return url.hostname.endsWith('.sim') ? getNetwork().fetch(input, init) : realFetch(input, init)
  }
  const delegateKeys = await createDelegateKeys()
  const listing = listingOf(DELEGATE_NAME, delegateKeys)
  const open = (party: 1 | 2, keys: string) =>
    openSimulatedRelay({
      onStatement: () => getNetwork().take(`R${party}`).length > 0,
      getOptions: process => ({
        party,
        keys,
        kek: KEK,
        clock: clockOf(`R${party}`),
        limitFactor: 1_000_000,
        peerUrl: `http://r${3 - party}.r${party}-${process}.sim/api/v0`,
        environments: {
          local: {
            apiUrl: `http://api.r${party}-${process}.sim/api/v0`,
            issuer: `${api.api.url}/sdk/local`,
            hostOrigins: [APP],
            frameOrigins: ['http://wallet.localhost:4200'],
            rpcUrl: 'http://127.0.0.1:9',
            delegates: [listing],
          },
        },
      }),
    })
  const relays = { R1: await open(1, r1Keys.keys), R2: await open(2, newRelayKeys().keys) }
  const user = async (name: string) => {
    const key = newKey()
    const kit = createKit(api, api.api, key)
    const { body } = await kit.signInByEmail(`${name}@example.com`)
    return { kit, key, userId: String(body.user.id), sessionId: String(body.sessionId) }
  }
  const empty = await startEmpty(relays)
  return {
    time,
    clockOf,
    api,
    relays,
    empty,
    users: [await user('user'), await user('stranger')],
    delegateKeys,
    listing,
    forge: createForger(r1Keys),
    /** Delivers a record to R2 in the name of R1. */
    tellR2: (record: string, policy: string) => {
      const r2 = { internalUrl: 'http://r2.delegate-0.sim/api/v0', clock: clockOf('R2') }
      return asPeer(r2, r1Keys).tell(record, policy)
    },
    async stop() {
      globalThis.fetch = realFetch
      for (const relay of Object.values(relays)) relay.kill()
      await api.stop()
    },
  }
}

/** Starts each relay once, and returns the databases without wallets. */
async function startEmpty(relays: Readonly<Record<'R1' | 'R2', SimulatedRelay>>) {
  const snapshot = async (relay: SimulatedRelay): Promise<Snapshot> => {
    await relay.sweep()
    return relay.snapshot()
  }
  return { R1: await snapshot(relays.R1), R2: await snapshot(relays.R2) }
}
