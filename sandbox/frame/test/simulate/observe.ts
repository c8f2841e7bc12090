/** Reads the real state of a world: rows of the relays, shares of the browsers, and who gets a relay's signature share. */
import { KeyObject } from 'node:crypto'
import { ask, b64, sha256 } from '@keybay/sandbox-relay/testing/frame/request'
import { codecs, createFrameSigner, encode, eraseShare } from '@keybay/waas/mpc'
import { openShare } from '../../src/page/store/keep.js'
import type { KeptSet } from '../../src/page/store/kept.js'
import { heldBy } from '../relay/device.js'
import type { Browser } from './browser.js'
import type { World } from './world.js'

export interface SetRow {
  readonly id: string
  readonly user_id: string
  readonly kind: string
  readonly status: string
  readonly epoch: number
  readonly public_set: string
  readonly policy: object | null
  /** Policies that hold too until the user sets one. */
  readonly unconfirmed: readonly (object | null)[]
  readonly is_frozen: boolean
  /** True if the relay signs nothing for the set until it has caught up with the other relay. */
  readonly is_behind: boolean
}

export function readSets({ services }: World, party: 'R1' | 'R2'): Promise<readonly SetRow[]> {
  return services.relays[party].read(
    'select id, user_id, kind, status, epoch, public_set, policy, unconfirmed, frozen_at is not null as is_frozen, quarantined_at is not null or lost_at is not null as is_behind from share_sets order by created_at, id',
  )
}

/** Returns true if R2 has every record of R1. */
export async function isWitnessed({ services: { relays } }: World): Promise<boolean> {
  const [atR1, atR2] = await Promise.all(
    [relays.R1, relays.R2].map(relay => relay.read('select record from records order by 1')),
  )
  return JSON.stringify(atR1) === JSON.stringify(atR2)
}

/** Returns, by user, everything that only this user's ceremonies may change. */
export async function readByUser({ services }: World): Promise<ReadonlyMap<string, string>> {
  const rows: (readonly [string, string])[] = []
  for (const [party, relay] of Object.entries(services.relays)) {
    const found = await relay.read<{ user_id: string; line: string }>(
      `select user_id, concat_ws(' ', 'ceremony', id, step) as line from ceremonies union all
       select user_id, concat_ws(' ', 'set', id, status, epoch, frozen_at, locked_at) as line from share_sets order by 2`,
    )
    for (const { user_id, line } of found) rows.push([user_id, `${party} ${line}`])
  }
  const lines = new Map<string, string>()
  for (const [user, line] of rows) lines.set(user, `${lines.get(user) ?? ''}\n${line}`)
  return lines
}

/** A share that a browser held once, with its device key: what a thief of that browser has. */
export interface Credential {
  readonly stored: KeptSet
  readonly epoch: number
  readonly pub: string
}

export async function readCredentials({ open }: Browser): Promise<readonly Credential[]> {
  const { kept } = await open()
  return (await kept()).flatMap(set =>
    [set, ...(set.aside ?? [])].flatMap(holder =>
      heldBy({ ...holder, aside: undefined }).map(share => ({
        stored: { ...holder, share },
        epoch: share.epoch,
        pub: b64(share.set),
      })),
    ),
  )
}

/** Returns true if a relay answers this credential with its signature share. */
export async function isAnswered(world: World, browser: Browser, credential: Credential): Promise<boolean> {
  const { stored, epoch } = credential
  // The store of the process that found the share is gone if the browser died since.
  const { store } = await browser.open()
  const { walletId, setId, address, deviceKey } = stored
  const argon2id = () => Promise.reject(new Error('no password here'))
  const share = await openShare({ store, argon2id }, stored, stored.share, undefined)
  const relays = share.set.parties.filter(party => party === 'R1' || party === 'R2')
  const message = new TextEncoder().encode('hello')
  const attempt = createFrameSigner(share, relays).begin(message)
  const commitment = b64(encode(codecs.signCommitment, attempt.commitment))
  attempt.erase()
  eraseShare(share)
  const body = { setId, kind: 'message', message: b64(message), commitment }
  const clock = world.services.clockOf('R1')
  const target = { next: () => ({ internalUrl: 'http://r1.delegate-0.sim/api/v0', clock }) }
  const { status } = await ask(target, browser.user, `/wallets/${walletId}/sign`, body, {
    op: 'signMessage',
    hash: sha256(message),
    address,
    device: KeyObject.from(deviceKey.privateKey),
    walletId,
    setId,
    epoch,
    signers: ['C', ...relays],
    consent: true,
  })
  return status === 200
}
