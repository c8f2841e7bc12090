/** Invariants over the real state of a world, checked after each step and at its end. */
import { createHash } from 'node:crypto'
import { b64, unb64 } from '@keybay/sandbox-relay/testing/frame/request'
import { codecs, decode, encode, readBackupHeader } from '@keybay/waas/mpc'
import { act } from './actions.js'
import { checkApart, type Holders } from './holders.js'
import {
  type Credential,
  isAnswered,
  isWitnessed,
  readByUser,
  readCredentials,
  readSets,
  type SetRow,
} from './observe.js'
import { checkPolicies, learnPolicy } from './policies.js'
import type { Step } from './steps.js'
import { outcomeOf, type World } from './world.js'

type Violation = string | undefined
/** Facts about a set that the user knows for certain. */
interface Fact {
  readonly epoch: number
  readonly revoked: boolean
}
/** State of the invariants between two steps. */
interface Memory {
  readonly credentials: Map<string, Credential & { readonly user: number }>
  readonly facts: Map<string, Fact>
  /** Daily limit that the user signed last, by set; undefined while an attempt has an unknown end. */
  readonly policies: Map<string, number | undefined>
  /** Packages in each browser. */
  readonly held: Map<string, ReadonlySet<string>>
  rows: ReadonlyMap<string, string>
  readonly holders: Holders
  /** True once the user agreed to erase shares after a lie of R1. */
  hasErased: boolean
  /** True while a relay that was restored, or restarted after R1 lied, may take records from the other. */
  isRepairing: boolean
  /** True if R2 had every record of R1 after the last step. */
  isWitnessed: boolean
  /** True once R1 lied: it may stop a wallet, and the user may erase a set that R1 has not revoked. */
  isLying: boolean
}

/** Operations of the user that may end with fewer shares in the browser: the new ones are confirmed, or the user agreed. */
const ERASING: readonly Step['do'][] = ['create', 'refresh', 'reshare', 'restore', 'join', 'revoke']
/** Steps that may make a relay answer a share that it must not answer. */
const RISKY: readonly Step['do'][] = [
  'put back',
  'revoke',
  'refresh',
  'reshare',
  'restore',
  'sweep',
  'deliver late',
  'show record',
  'forged record',
]
/** Returns the browser that does the step, if one does. */
function getDevice(step: Step): number | undefined {
  if ('device' in step) return step.device
  return step.do === 'foreign begin' ? 2 : undefined
}

/** Returns true if a party dies in the step or in one inside it. */
function hasKill({ do: name, faults = [] }: Step): boolean {
  return (
    name === 'kill' ||
    faults.some(fault => fault.what.startsWith('kill') || (fault.what === 'inner step' && hasKill(fault.step)))
  )
}

export function createChecks(world: World) {
  const memory: Memory = {
    credentials: new Map(),
    facts: new Map(),
    policies: new Map(),
    held: new Map(),
    rows: new Map(),
    holders: new Map(),
    hasErased: false,
    isRepairing: false,
    isWitnessed: true,
    isLying: false,
  }
  return {
    /** @returns the first violation, in words */
    async afterStep(step: Step, outcome: string, isPlain: boolean): Promise<Violation> {
      await lookAround(world, memory)
      // What relays repair among themselves belongs to no step of a user.
      memory.isRepairing ||= step.do === 'put back' || (memory.isLying && hasKill(step))
      if (step.do === 'put back' && step.party === 'R1' && !memory.isWitnessed) await forgetUnwitnessed(world, memory)
      memory.isWitnessed = await isWitnessed(world)
      memory.isLying ||= step.do === 'forged list' || step.do === 'forged record'
      memory.hasErased ||= memory.isLying && step.do === 'revoke' && outcome === 'ok'
      const r1 = await readSets(world, 'R1')
      if (outcome === 'ok' && getDevice(step) !== undefined && step.do !== 'forged list') learn(world, memory, r1, step)
      const violation =
        (await checkErasure(world, memory, r1, step, outcome)) ??
        (await checkApart(world, memory.holders)) ??
        (await checkBackups(world, r1)) ??
        (await checkOthers(world, memory, step, isPlain)) ??
        checkRevocable(world, step, outcome) ??
        (await checkFrozen(world, memory, r1)) ??
        (await learnPolicy(world, memory, step, outcome)) ??
        (world.restored.size === 0 ? await checkPolicies(world, memory) : undefined) ??
        (RISKY.includes(step.do) ? await checkDead(world, memory) : undefined)
      if (memory.isRepairing && isPlain) await sweep(world)
      if (memory.isRepairing) memory.rows = await readByUser(world)
      memory.isRepairing &&= !isPlain
      return violation
    },
    /** Ends all faults, and checks that the user can sign or restore, and that each set has one epoch that signs. */
    async atEnd(): Promise<Violation> {
      await heal(world)
      return (
        (await checkDead(world, memory)) ??
        (await checkPolicies(world, memory)) ??
        (await checkUsable(world, memory)) ??
        (await checkOneEpoch(world, memory))
      )
    },
  }
}

/** Finds new wallets, sets and shares. */
async function lookAround(world: World, { credentials }: Memory): Promise<void> {
  for (const [index, browser] of world.browsers.entries())
    for (const credential of await readCredentials(browser)) {
      const { stored, pub, epoch } = credential
      const name = `${stored.setId} ${epoch} ${pub}`
      if (!credentials.has(name)) credentials.set(name, { ...credential, user: index })
      if (stored.kind === 'primary' && !world.addresses.has(browser.user.userId))
        world.addresses.set(browser.user.userId, stored.address)
    }
  const own = world.browsers[0]?.user.userId
  const ids = (await readSets(world, 'R1')).filter(row => row.user_id === own).map(({ id }) => id)
  for (const id of [...ids, ...world.bundles.map(({ setId }) => setId)])
    if (!world.sets.includes(id)) world.sets.push(id)
}

/** After an answer of R1, its rows are what the user was told. */
function learn({ restored, sets }: World, { facts, isLying }: Memory, rows: readonly SetRow[], step: Step): void {
  if (restored.size > 0) return
  const revoked = step.do === 'revoke' && !isLying ? sets[step.set % sets.length] : undefined
  for (const { id, epoch, status } of rows) {
    const before = facts.get(id)
    facts.set(id, {
      epoch: Math.max(epoch, before?.epoch ?? 0),
      revoked: status === 'revoked' || id === revoked || before?.revoked === true,
    })
  }
}

/** Drops what R1 alone knew, which no relay can bring back: every policy, and the revocations that R2 does not have. */
async function forgetUnwitnessed(world: World, { facts, policies }: Memory): Promise<void> {
  policies.clear()
  const atR2 = new Map((await readSets(world, 'R2')).map(({ id, status }) => [id, status]))
  for (const [id, fact] of facts) facts.set(id, { ...fact, revoked: fact.revoked && atR2.get(id) === 'revoked' })
}

async function checkErasure(
  world: World,
  { held }: Memory,
  r1: readonly SetRow[],
  step: Step,
  outcome: string,
): Promise<Violation> {
  let violation: Violation
  for (const [index, browser] of world.browsers.entries()) {
    const now = new Set((await readCredentials(browser)).map(({ stored, pub }) => `${stored.setId} ${pub}`))
    const lost = [...(held.get(browser.name) ?? [])].filter(name => !now.has(name))
    held.set(browser.name, now)
    // A browser that died may have erased just before, once R1 had confirmed what replaces the share.
    const isConfirmed = lost.every(name =>
      r1.some(row => name.startsWith(row.id) && (row.status === 'revoked' || now.has(`${row.id} ${row.public_set}`))),
    )
    const isDone = outcome === 'ok' || (outcome === 'died' && isConfirmed)
    const isAllowed = getDevice(step) === index && isDone && ERASING.includes(step.do)
    if (lost.length > 0 && !isAllowed) violation ??= `${browser.name} erased a share that no confirmed record replaced`
  }
  return violation
}

/** A browser that counts on a backup of the active shares is right: the backup exists and fits. */
async function checkBackups({ browsers }: World, r1: readonly SetRow[]): Promise<Violation> {
  for (const browser of browsers) {
    const { kept, backups } = await browser.open()
    for (const { kind, walletId, setId, share, creation, backups: entries } of await kept()) {
      const pub = b64(share.set)
      const isActive = r1.some(row => row.id === setId && row.public_set === pub)
      if (kind !== 'primary' || creation || !isActive || !entries.some(({ epoch }) => epoch === share.epoch)) continue
      const file = backups.get(`${walletId} ${createHash('sha256').update(share.set).digest('base64url')}`)
      if (!file || b64(encode(codecs.shareSet, readBackupHeader(file).set)) !== pub)
        return `${browser.name} counts on a backup that does not exist`
    }
  }
  return undefined
}

async function checkOthers(world: World, memory: Memory, step: Step, isPlain: boolean): Promise<Violation> {
  const before = memory.rows
  memory.rows = await readByUser(world)
  const device = getDevice(step)
  const actor = device === undefined ? undefined : world.browsers[device]?.user.userId
  if (!isPlain || actor === undefined || memory.isRepairing) return undefined
  for (const [user, lines] of before)
    if (user !== actor && memory.rows.get(user) !== lines)
      return 'a ceremony of one user changed what belongs to another'
  return undefined
}

function checkRevocable({ bundles, sets, restored }: World, step: Step, outcome: string): Violation {
  if (step.do !== 'revoke' || step.faults?.length || restored.size > 0) return undefined
  const isDelegation = bundles.some(({ setId }) => setId === sets[step.set % sets.length])
  return isDelegation && outcome === 'set_not_found' ? 'the user cannot revoke a delegation that waits' : undefined
}

async function checkFrozen(world: World, { isLying }: Memory, r1: readonly SetRow[]): Promise<Violation> {
  if (world.restored.size > 0 || isLying) return undefined
  const isFrozen = [...r1, ...(await readSets(world, 'R2'))].some(row => row.is_frozen)
  return isFrozen ? 'a wallet is frozen, although no relay lost writes' : undefined
}

/** Tries everything that was revoked or replaced. */
async function checkDead(world: World, { credentials, facts }: Memory): Promise<Violation> {
  if (world.restored.size > 1) return undefined
  return world.network.within([], async () => {
    for (const credential of credentials.values()) {
      const fact = facts.get(credential.stored.setId)
      const isDead = fact && (fact.revoked || credential.epoch < fact.epoch)
      const browser = world.browsers[credential.user]
      if (isDead && browser && (await isAnswered(world, browser, credential)))
        return `a relay answers a share that was ${fact.revoked ? 'revoked' : 'replaced'}`
    }
    for (const [setId, wallet] of world.delegated)
      if (
        facts.get(setId)?.revoked &&
        (await outcomeOf(world.delegate.signMessage(wallet, new TextEncoder().encode('hello')))) === 'ok'
      )
        return 'a delegate that was revoked signs'
    return undefined
  })
}

async function sweep({ services }: World): Promise<void> {
  for (const relay of Object.values(services.relays)) await relay.sweep().catch(() => undefined)
}

async function heal(world: World): Promise<void> {
  const { services, network } = world
  services.time.offsets.clear()
  await network.within([], async () => {
    await network.deliverLate()
    await sweep(world)
    for (const device of [0, 1]) await act(world, { do: 'list', device })
  })
}

/** Returns true if R1's row, of the current epoch, fits a share or a backup of the user. */
async function checkUsable(world: World, { facts, isLying, hasErased }: Memory): Promise<Violation> {
  const [first] = world.browsers
  const address = first && world.addresses.get(first.user.userId)
  if (address === undefined) return undefined
  const row = (await readSets(world, 'R1')).find(
    ({ user_id, kind }) => user_id === first?.user.userId && kind === 'primary',
  )
  const wasMade = [...facts.keys()].some(id => world.sets.includes(id))
  const isTwoOfTwo = row !== undefined && decode(codecs.shareSet, unb64(row.public_set)).parties.length === 2
  if (!wasMade || ((world.restored.has('R1') || isLying) && (isTwoOfTwo || hasErased || !row))) return undefined
  return world.network.within([], async () => {
    for (const device of [0, 1]) if ((await act(world, { do: 'sign', device })) === 'ok') return undefined
    for (const { open } of world.browsers.slice(0, 2)) if (await (await open()).recovers(address)) return undefined
    for (const device of [0, 1])
      for (const mode of ['add-device', 'replace-device'] as const)
        if ((await act(world, { do: 'restore', device, mode })) === 'ok') return undefined
    return 'the user can neither sign nor restore'
  })
}

async function checkOneEpoch(world: World, { credentials }: Memory): Promise<Violation> {
  const answered = new Map<string, number>()
  return world.network.within([], async () => {
    for (const credential of credentials.values()) {
      const browser = world.browsers[credential.user]
      if (!browser || !(await isAnswered(world, browser, credential))) continue
      // Of two dealings of one epoch, a relay has the share of one, and a request names only the epoch.
      const { stored, epoch } = credential
      if ((answered.get(stored.setId) ?? epoch) !== epoch) return 'relays answer two epochs of one set'
      answered.set(stored.setId, epoch)
    }
    return undefined
  })
}
