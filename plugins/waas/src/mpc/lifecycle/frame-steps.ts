/** Steps of the browsers in the model. Each returns the next world, or undefined where the step is not possible. */
import { SCHEMES, type Sharing } from '../parties.js'
import type { SeenRecord } from './frame.js'
import {
  type Ceremony,
  countActive,
  type Device,
  type FrameWorld,
  getName,
  getPackage,
  hasBackup,
  heldBy,
  type ModelSet,
  type Package,
  packageOf,
  type RelayId,
  type Rules,
  type SetId,
  type SignedRecord,
  toBytes,
  toPublic,
  WALLET,
  type World,
} from './world.js'

export type Next = World | undefined
export type Purpose = 'refresh' | 'reshare' | 'addDevice' | 'replaceDevice' | 'delegate'

const NOW = 1
const NEVER = 9
const DAY_MS = 86_400_000
const DELEGATE_POLICY = 'of the delegate'
export const SETS: readonly SetId[] = ['primary', 'device', 'delegate']

function setFrame(world: World, device: Device, change: Partial<FrameWorld>): World {
  return { ...world, [device]: { ...world[device], ...change } }
}
function put(world: World, rules: Rules, device: Device, set: ModelSet): World {
  const { sets } = world[device]
  return setFrame(world, device, { sets: { ...sets, [set.setId]: rules.frame.onWrite(sets[set.setId], set) } })
}
export function post(world: World, message: string): World {
  return world.mail.includes(message) ? world : { ...world, mail: [...world.mail, message].sort() }
}

/** Returns the primary set of a browser, if R1 knows the browser's key and the share signs. */
export function getPrimary(world: World, device: Device): ModelSet | undefined {
  const primary = world[device].sets.primary
  const row = world.R1.rows.primary
  if (!primary || primary.retired || primary.creation || row?.device !== device) return undefined
  return getName(primary.share.set) === row.package ? primary : undefined
}

function getSharing(world: World, rules: Rules, purpose: Purpose): readonly [World['scheme'], Sharing] {
  const other = world.scheme === 'THREE_OF_FIVE' ? 'TWO_OF_THREE' : 'THREE_OF_FIVE'
  const scheme = purpose === 'reshare' ? other : world.scheme
  if (purpose !== 'addDevice' && purpose !== 'delegate') return [scheme, SCHEMES[scheme]]
  return [scheme, rules.additional(scheme, purpose === 'delegate' && world.hasR2)]
}

interface Dealing {
  readonly device: Device
  readonly purpose: Purpose
  readonly isAnswered: boolean
}

/** A browser and the relays deal new shares. Without an answer, the browser stores nothing. */
export function deal(world: World, rules: Rules, { device, purpose, isAnswered }: Dealing): Next {
  const { R1 } = world
  const row = R1.rows.primary
  if (!row || (purpose === 'reshare' && (!world.hasR2 || world.scheme === 'TWO_OF_TWO'))) return undefined
  const from = getPackage(world, row.package)
  const restores = purpose === 'addDevice' || purpose === 'replaceDevice'
  const primary = getPrimary(world, device)
  if (restores ? !world.provider.includes(from.id) : !primary) return undefined
  const [scheme, sharing] = getSharing(world, rules, purpose)
  const isAdditional = purpose === 'addDevice' || purpose === 'delegate'
  const setId: SetId = purpose === 'addDevice' ? 'device' : purpose === 'delegate' ? 'delegate' : 'primary'
  const epoch = isAdditional ? 0 : from.epoch + 1
  const ceremonyId = `c${Object.keys(world.packages).length - 1}`
  const holder = purpose === 'delegate' ? 'delegate' : device
  const next = packageOf({ ...sharing, setId, epoch, holder }, ceremonyId)
  const asked = purpose === 'delegate' ? DELEGATE_POLICY : undefined
  let dealt: Next = beginAt(world, rules, 'R1', { from, next, ceremonyId, isAdditional, asked })
  const isR2Involved = next.parties.includes('R2') || from.parties.includes('R2')
  if (dealt && isR2Involved) dealt = beginAt(dealt, rules, 'R2', { from, next, ceremonyId, isAdditional, asked })
  if (!dealt) return undefined
  const { policies } = dealt.truth
  const signedPolicy = isAdditional ? { [setId]: asked === undefined ? (policies.primary ?? []) : [asked] } : undefined
  dealt = {
    ...dealt,
    packages: { ...dealt.packages, [next.id]: next },
    truth: { ...dealt.truth, policies: { ...policies, ...signedPolicy } },
  }
  if (!isAnswered) return dealt
  if (purpose === 'delegate') return post(dealt, `bundle ${ceremonyId}`)
  const envelope = hasBackup(next) ? { envelope: toBytes(next.id) } : undefined
  const share = { epoch, set: toBytes(next.id) }
  if (!restores && primary) {
    const pending = { scheme, share, ...envelope }
    return put(dealt, rules, device, { ...primary, ceremonyId, pending })
  }
  const kind = isAdditional ? 'device' : 'primary'
  const names = { walletId: WALLET, setId, kind, address: WALLET, ceremonyId, scheme } as const
  return put(dealt, rules, device, { ...names, share, ...envelope, backups: [], creation: { expiresAt: NEVER } })
}

interface Begin {
  readonly from: Package
  readonly next: Package
  readonly ceremonyId: string
  readonly isAdditional: boolean
  readonly asked: string | undefined
}

function beginAt(
  world: World,
  rules: Rules,
  party: RelayId,
  { from, next, ceremonyId, isAdditional, asked }: Begin,
): Next {
  const state = world[party]
  if (state.isQuarantined) return undefined
  const { primary } = state.rows
  const source = party === 'R1' || primary?.status === 'active' ? primary : undefined
  const ceremonies = Object.values(state.ceremonies).filter(({ setId }) => setId === next.setId)
  const request = {
    ceremonyId,
    environmentId: 'e',
    walletId: WALLET,
    setId: next.setId,
    fromEpoch: from.epoch,
    isAdditional,
    policyHash: asked ?? newest(world.R1.log, 'primary')?.policyHash ?? '',
  }
  const handed = world.R1.rows.primary?.policyHash ?? ''
  const policyHash = asked ?? (party === 'R1' ? handed : rules.policy(handed, primary))
  const taken = state.rows[next.setId]
  const activeSets = countActive(state)
  const decision = rules.relay.onBegin({ source, policyHash, taken, ceremonies, activeSets }, request)
  if (decision.action === 'refuse') return undefined
  const ceremony: Ceremony = {
    ceremonyId,
    environmentId: 'e',
    walletId: WALLET,
    setId: next.setId,
    step: 'dealt',
    isAdditional,
    transcript: next.id,
    leaves: !next.parties.includes(party),
    package: next.id,
    fromEpoch: from.epoch,
    policyHash,
    inheritsPolicy: asked === undefined,
  }
  return {
    ...world,
    [party]: { ...state, ceremonies: { ...endAll(state.ceremonies, decision.ends), [ceremonyId]: ceremony } },
  }
}

export function endAll(
  ceremonies: Readonly<Record<string, Ceremony>>,
  ids: readonly string[],
): Readonly<Record<string, Ceremony>> {
  const entries = Object.entries(ceremonies)
  return Object.fromEntries(entries.map(([id, it]) => [id, ids.includes(id) ? { ...it, step: 'ended' } : it]))
}

/** Returns the set of a browser that waits for its commit, and its new package. */
function getWaiting(world: World, device: Device, setId: SetId) {
  const set = world[device].sets[setId]
  const share = set?.pending?.share ?? (set?.creation ? set.share : undefined)
  if (!set || !share || set.retired || set.pending?.ended || set.ceremonyId === undefined) return undefined
  return { set, share, ceremonyId: set.ceremonyId, next: getPackage(world, getName(share.set)) }
}

/** The browser stores the new backup at the provider, reads it back and opens it. */
export function upload(world: World, _: Rules, device: Device): Next {
  const waiting = getWaiting(world, device, 'primary')
  if (!waiting || !hasBackup(waiting.next) || world.provider.includes(waiting.next.id)) return undefined
  const { set, next } = waiting
  const backup = { id: next.id }
  const { sets } = world[device]
  const changed: ModelSet = set.pending
    ? { ...set, pending: { ...set.pending, backup } }
    : { ...set, backups: [backup] }
  const provider = [...world.provider, next.id].sort()
  return setFrame({ ...world, provider }, device, { sets: { ...sets, primary: changed } })
}

/** The browser asks R1 to commit, with proofs of the new shares. */
export function send(world: World, rules: Rules, device: Device, setId: SetId): Next {
  const waiting = getWaiting(world, device, setId)
  if (!waiting) return undefined
  const { next, ceremonyId } = waiting
  if (rules.demandsBackup && hasBackup(next) && !world.provider.includes(next.id)) return undefined
  return post(world, `commit ${ceremonyId}`)
}

function see(record: SignedRecord | undefined): SeenRecord | undefined {
  if (!record) return undefined
  const { epoch, status, generation, package: name } = record
  return { wallet: WALLET, address: WALLET, epoch, status, pub: toPublic(name), record: `${generation} ${name}` }
}

function settle(
  world: World,
  rules: Rules,
  { device, setId, isFinished }: { readonly device: Device; readonly setId: string; readonly isFinished: boolean },
  record: SignedRecord | undefined,
): World {
  const stored = world[device].sets[setId]
  if (!stored) return world
  const { set, isConfirmed } = rules.frame.onRecord(stored, see(record), NOW)
  if (!isFinished || !isConfirmed) return set === stored ? world : put(world, rules, device, set)
  const { sets } = world[device]
  const confirmed = rules.frame.onConfirm(set)
  const tidy = set.backups.length > 0 && set.kind === 'primary' ? { tidy: getName(set.share.set) } : undefined
  return setFrame(world, device, { sets: { ...sets, [setId]: confirmed }, ...tidy })
}

/** The answer to a commit arrives, with the record of that time. */
export function answer(world: World, rules: Rules, device: Device, index: number): Next {
  const record = world.records[index]
  if (record?.status !== 'active' || !world.mail.includes(`answer ${index}`)) return undefined
  const waiting = SETS.map(setId => getWaiting(world, device, setId)).find(it => it?.next.id === record.package)
  // The operation that waits for this answer compares the record with its own share.
  if (!waiting || !world.mail.includes(`commit ${waiting.ceremonyId}`)) return undefined
  return settle(world, rules, { device, setId: record.setId, isFinished: true }, record)
}

/** An unsigned error answers a commit, so the browser requests R1's record and settles by it. */
export function refuse(world: World, rules: Rules, device: Device, setId: SetId): Next {
  const waiting = getWaiting(world, device, setId)
  if (!waiting || !world.mail.includes(`commit ${waiting.ceremonyId}`)) return undefined
  const record = rules.asksRecord ? newest(world.R1.log, setId) : undefined
  const names = record?.status === 'active' && record.package === waiting.next.id
  const settled = settle(world, rules, { device, setId, isFinished: names }, record)
  const stored = settled[device].sets[setId]
  return names || !stored ? settled : put(settled, rules, device, rules.frame.onRefusal(stored, waiting.share, NOW))
}

export function newest(log: readonly SignedRecord[], setId: string): SignedRecord | undefined {
  return log.findLast(record => record.setId === setId)
}

/** The browser lists its wallets, by R1's current records. */
export function list(world: World, rules: Rules, device: Device): World {
  return Object.keys(world[device].sets).reduce(
    (next, setId) => settle(next, rules, { device, setId, isFinished: false }, newest(world.R1.log, setId)),
    world,
  )
}

/** A record that R1 signed at any time, truthfully or not, reaches the browser. */
export function replay(world: World, rules: Rules, device: Device, index: number): Next {
  const record = world.records[index]
  return record && settle(world, rules, { device, setId: record.setId, isFinished: false }, record)
}

/** The browser removes older backups, after a finished ceremony, while it has the new share. */
export function tidy(world: World, rules: Rules, device: Device): Next {
  const { tidy: id, ...rest } = world[device]
  if (id === undefined || !world.provider.includes(id) || !heldBy(rest).includes(id)) return undefined
  const active = getPackage(world, id)
  const isKept = (copy: string) => copy === id || !rules.tidies(getPackage(world, copy), active)
  return { ...world, [device]: rest, provider: world.provider.filter(isKept) }
}

/** The user agrees to erase a share that no longer signs in this browser. */
export function erase(world: World, _: Rules, device: Device, setId: SetId): Next {
  const { [setId]: stored, ...sets } = world[device].sets
  return stored?.retired ? setFrame(world, device, { sets }) : undefined
}

/** The user opens the app on each of 31 days. */
export function sweep(world: World, rules: Rules, device: Device): Next {
  let { sets } = world[device]
  if (!Object.values(sets).some(({ retired }) => retired)) return undefined
  for (let day = 1; day <= 31; day += 1)
    sets = Object.fromEntries(
      Object.entries(sets).flatMap(([id, set]) => {
        const counted = rules.frame.onSweep(set, day * DAY_MS)
        return counted ? [[id, { ...counted, retired: counted.retired && { ...counted.retired, seenAt: NOW } }]] : []
      }),
    )
  return setFrame(world, device, { sets })
}

/** The browser loses its storage, or the device is stolen. */
export function lose(world: World, _: Rules, device: Device): Next {
  return Object.keys(world[device].sets).length > 0 ? { ...world, [device]: { sets: {} } } : undefined
}
