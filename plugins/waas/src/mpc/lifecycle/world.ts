/** Model of a world: two browsers, two relays, a delegate and a backup provider, of which a search tries every order. */
import { toBase64Url, utf8 } from '@keybay/kernel/spec'
import { additionalSharing, SCHEMES, type Sharing } from '../parties.js'
import * as frame from './frame.js'
import * as log from './log.js'
import * as relay from './relay.js'
import type { HeldSet } from './states.js'
import type { Signer } from './table.js'

/** Wallet of the user, and of another user. */
export const WALLET = 'A'
export const OTHER = 'M'
export type SetId = 'primary' | 'device' | 'delegate'
export type Device = 'phone' | 'laptop'
export type RelayId = 'R1' | 'R2'

/** A sharing of the key. Its `id` stands for the bytes of the public `ShareSet`. */
export interface Package extends Sharing {
  readonly id: string
  readonly setId: SetId
  readonly epoch: number
  /** Holder of the share C. */
  readonly holder: Device | 'delegate'
}

export interface Row extends relay.RelaySet {
  /** True once the set has a newer epoch, whose share the relay does not have. */
  readonly isLost?: true
  /** Hashes of policies that the row enforces too, and that only R1's records name. */
  readonly unconfirmed: readonly string[]
  readonly package: string
  readonly device: string
}
export interface Ceremony extends relay.RelayCeremony {
  readonly package: string
  readonly fromEpoch: number
}
/** R1's signed record. */
export interface SignedRecord extends relay.SetRecord {
  /** Stands for the hash of the signed text. */
  readonly id: string
  /** `id` of the wallet's record before. */
  readonly prev: string
  readonly package: string
  /** True if R1 lied. */
  readonly isForged?: boolean
}
export interface RelayWorld {
  readonly rows: Readonly<Record<string, Row>>
  readonly ceremonies: Readonly<Record<string, Ceremony>>
  /** Records of the wallet that this relay signed or accepted, oldest first. */
  readonly log: readonly SignedRecord[]
  readonly isQuarantined: boolean
}
export interface ModelSet extends HeldSet<ModelSet> {
  readonly ceremonyId?: string | undefined
}
export interface FrameWorld {
  readonly sets: Readonly<Record<string, ModelSet>>
  /** Package whose older backups the frame still has to remove. */
  readonly tidy?: string | undefined
}

export interface World {
  readonly scheme: keyof typeof SCHEMES
  readonly hasR2: boolean
  readonly packages: Readonly<Record<string, Package>>
  readonly phone: FrameWorld
  readonly laptop: FrameWorld
  readonly R1: RelayWorld
  readonly R2: RelayWorld
  /** Packages whose backup shares the provider has. */
  readonly provider: readonly string[]
  /** Messages in flight. Each can arrive at any time, in any order, repeatedly or never. */
  readonly mail: readonly string[]
  /** Records that R1 signed. Anybody may replay one. */
  readonly records: readonly SignedRecord[]
  readonly snapshots: Partial<Readonly<Record<RelayId, RelayWorld>>>
  /** How often each step can still happen. */
  readonly budget: Readonly<Record<string, number>>
  readonly last: Step | undefined
  /** Facts that the invariants compare with; no party reads them. */
  readonly truth: Truth
}
export interface Truth {
  /** Packages that were replaced or revoked by a record that both relays had. */
  readonly gone: readonly string[]
  /** Packages whose ceremony or set the user ended. */
  readonly ended: readonly string[]
  /** Ceremony that the primary device could not end. */
  readonly stuck?: string
  /** Policies of each set that the user signed and that may be in force. */
  readonly policies: Readonly<Record<string, readonly string[]>>
  readonly isRestored: boolean
  readonly isR1Lying: boolean
}

export interface Step {
  readonly events: readonly string[]
  readonly signed: readonly Signer[]
}

/** Rules of the parties: those of the product, or a variant with a fault. */
export interface Rules {
  readonly frame: Pick<typeof frame, 'onRecord' | 'onRefusal' | 'onWrite' | 'onConfirm' | 'onSweep'>
  readonly relay: Pick<
    typeof relay,
    'onRecord' | 'onBegin' | 'onCommit' | 'onAbort' | 'onRevoke' | 'adoptedPolicy' | 'recordedPolicy'
  >
  readonly log: Pick<typeof log, 'onNewRecord' | 'compareHistories' | 'afterComparison'>
  /** Sharing of the set of another device, or of a delegate. */
  readonly additional: (scheme: World['scheme'], isDelegateWithR2: boolean) => Sharing
  /** Policy that R2 gives to a set: R1's, or that of its own row. */
  readonly policy: (handed: string, own: Row | undefined) => string
  readonly isQuarantinedAtStart: boolean
  readonly demandsPeerSignature: boolean
  readonly demandsBackup: boolean
  /** True if a frame requests the record after an error, which is not signed. */
  readonly asksRecord: boolean
  /** Backups that a finished ceremony removes. */
  readonly tidies: (copy: Package, active: Package) => boolean
}

export const PRODUCT_RULES: Rules = {
  frame,
  relay,
  log,
  additional: (scheme, isDelegateWithR2) => additionalSharing(isDelegateWithR2 ? 'THREE_OF_FIVE' : scheme),
  policy: (handed, own) => (own?.status === 'active' ? own.policyHash : handed),
  isQuarantinedAtStart: true,
  demandsPeerSignature: true,
  demandsBackup: true,
  asksRecord: true,
  tidies: (copy, active) => copy.epoch < active.epoch,
}

const bytesOf = new Map<string, Uint8Array>()
const nameOf = new WeakMap<Uint8Array, string>()
/** Returns the bytes that stand for a public package. Equal names share one array, which prints as its name. */
export function toBytes(name: string): Uint8Array {
  const known = bytesOf.get(name)
  if (known) return known
  const bytes = Object.assign(utf8(name), { toJSON: () => name })
  bytesOf.set(name, bytes)
  nameOf.set(bytes, name)
  return bytes
}
export function toPublic(name: string): string {
  return toBase64Url(toBytes(name))
}
export function getName(bytes: Uint8Array): string {
  return nameOf.get(bytes) ?? ''
}

export function hasBackup({ parties }: Sharing): boolean {
  return parties.includes('B1')
}

export function getPackage(world: World, id: string): Package {
  const dealing = world.packages[id]
  if (!dealing) throw new RangeError(`no package ${id}`)
  return dealing
}

/** Returns the names of all packages of which a frame has the share. */
export function heldBy({ sets }: FrameWorld): readonly string[] {
  const names = held.get(sets) ?? Object.values(sets).flatMap(listNames)
  held.set(sets, names)
  return names
}
const held = new WeakMap<FrameWorld['sets'], readonly string[]>()
function listNames({ share, pending, aside = [] }: ModelSet): readonly string[] {
  return [getName(share.set), ...(pending ? [getName(pending.share.set)] : []), ...aside.flatMap(listNames)]
}

export function countActive({ rows }: RelayWorld): number {
  return Object.values(rows).filter(({ status }) => status === 'active').length
}

/** Returns true if the relay gives a signature share for the package. */
export function givesShare({ rows, isQuarantined }: RelayWorld, { id, setId }: Package): boolean {
  const row = rows[setId]
  return row?.package === id && row.status === 'active' && row.hasShare && !row.isFrozen && !isQuarantined
}

/** Returns true if every relay of the package gives its signature share. */
export function canSign(world: World, wanted: Package): boolean {
  return givesShare(world.R1, wanted) && (!wanted.parties.includes('R2') || givesShare(world.R2, wanted))
}

/** Returns a world with one wallet: the phone has its primary set. */
export function createWorld({ scheme, hasR2, budget }: Pick<World, 'scheme' | 'hasR2' | 'budget'>): World {
  const first = packageOf({ ...SCHEMES[scheme], setId: 'primary', epoch: 0, holder: 'phone' }, 'new')
  const { id, parties } = first
  const set: ModelSet = {
    walletId: WALLET,
    setId: 'primary',
    kind: 'primary',
    address: WALLET,
    scheme,
    share: { epoch: 0, set: toBytes(id) },
    backups: hasBackup(first) ? [{ id }] : [],
  }
  const row = rowOf(first, 'primary', 'none')
  const record = recordOf(first, [], { status: 'active', policyHash: 'none' })
  const relayWorld = (rows: RelayWorld['rows']) => ({ rows, ceremonies: {}, log: [record], isQuarantined: false })
  return {
    scheme,
    hasR2,
    packages: { [id]: first },
    phone: { sets: { primary: set } },
    laptop: { sets: {} },
    R1: relayWorld({ primary: row }),
    R2: hasR2 ? relayWorld(parties.includes('R2') ? { primary: row } : {}) : { ...relayWorld({}), log: [] },
    provider: hasBackup(first) ? [id] : [],
    mail: [],
    records: [record],
    snapshots: {},
    budget,
    last: undefined,
    truth: { gone: [], ended: [], policies: { primary: ['none'] }, isRestored: false, isR1Lying: false },
  }
}

export function rowOf({ id, setId, epoch, holder }: Package, kind: Row['kind'], policyHash: string): Row {
  return {
    setId,
    walletId: WALLET,
    kind,
    epoch,
    status: 'active',
    hasShare: true,
    isFrozen: false,
    package: id,
    device: holder,
    policyHash,
    unconfirmed: [],
  }
}
/** Makes a value print as its name, which says all of it. */
function intern<T extends Package | SignedRecord>(value: T): T {
  return Object.assign(value, { toJSON: () => value.id })
}

export function packageOf(facts: Omit<Package, 'id'>, ceremonyId: string): Package {
  const { setId, epoch, holder, threshold } = facts
  return intern({ ...facts, id: [setId, epoch, ceremonyId, holder, threshold].join('/') })
}

/** Returns the next record of the wallet. @param log records before it */
export function recordOf(
  { id: name, setId, epoch, parties }: Package,
  log: readonly SignedRecord[],
  facts: Pick<SignedRecord, 'status' | 'policyHash' | 'isForged'>,
): SignedRecord {
  const before = log.at(-1)
  const generation = before ? before.generation + 1 : 0
  const prev = before?.id ?? ''
  const id = `${Object.values(facts).join()},${name} after (${prev})`
  return intern({
    ...facts,
    id,
    prev,
    generation,
    setId,
    walletId: WALLET,
    epoch,
    parties,
    package: name,
    transcript: name,
  })
}
