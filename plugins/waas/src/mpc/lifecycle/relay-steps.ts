/** Steps of the relays, of a liar and of another user in the model. */
import { endAll, getPrimary, type Next, newest, post } from './frame-steps.js'
import type { Head } from './log.js'
import {
  type Ceremony,
  countActive,
  type Device,
  getPackage,
  OTHER,
  type Package,
  type RelayId,
  type RelayWorld,
  type Row,
  type Rules,
  recordOf,
  rowOf,
  type SetId,
  type SignedRecord,
  type Truth,
  type World,
} from './world.js'

export function setRelay(world: World, party: RelayId, change: Partial<RelayWorld>): World {
  return { ...world, [party]: { ...world[party], ...change } }
}
export function setRow(world: World, party: RelayId, row: Row): World {
  return setRelay(world, party, { rows: { ...world[party].rows, [row.setId]: row } })
}
function setStep(world: World, party: RelayId, ceremony: Ceremony, step: Ceremony['step']): World {
  const { ceremonies } = world[party]
  return setRelay(world, party, { ceremonies: { ...ceremonies, [ceremony.ceremonyId]: { ...ceremony, step } } })
}
export function know(world: World, truth: Partial<Truth>): World {
  return { ...world, truth: { ...world.truth, ...truth } }
}

/** R1 signs a record, which R2 gets later. */
function sign(world: World, of: Package, facts: Pick<SignedRecord, 'status' | 'policyHash'>): World {
  const record = recordOf(of, world.R1.log, facts)
  const next = { ...world, records: [...world.records, record] }
  return setRelay(next, 'R1', { log: [...world.R1.log, record] })
}

/** The delegate takes its share, and asks R1 to commit. */
export function accept(world: World, _: Rules, ceremonyId: string): Next {
  return world.mail.includes(`bundle ${ceremonyId}`) ? post(world, `commit ${ceremonyId}`) : undefined
}

/** A request to commit reaches R1, which first asks R2. A crash of R1 leaves R2 waiting for the record. */
export function commit(world: World, rules: Rules, ceremonyId: string, crashes: boolean): Next {
  const ceremony = world.R1.ceremonies[ceremonyId]
  if (!ceremony || !world.mail.includes(`commit ${ceremonyId}`) || world.R1.isQuarantined) return undefined
  const { fromEpoch, package: id, policyHash } = ceremony
  const { primary } = world.R1.rows
  const activeSets = countActive(world.R1)
  const decision = rules.relay.onCommit({ ceremony, source: primary, fromEpoch, isDealer: true, activeSets })
  if (decision.action === 'refuse' || (ceremony.isAdditional && world.R1.rows[ceremony.setId])) return undefined
  const atR2 = world.R2.ceremonies[ceremonyId]
  const next = getPackage(world, id)
  const needsR2 = [next.id, primary?.package ?? next.id].some(of => getPackage(world, of).parties.includes('R2'))
  const confirmed = atR2 ? confirm(world, rules, atR2) : needsR2 ? undefined : world
  if (!confirmed || crashes) return confirmed
  const kind = next.setId
  const committed = setStep(setRow(confirmed, 'R1', rowOf(next, kind, policyHash)), 'R1', ceremony, 'done')
  const signed = sign(committed, next, { status: 'active', policyHash })
  const scheme = kind !== 'primary' ? world.scheme : next.parties.includes('R2') ? 'THREE_OF_FIVE' : world.scheme
  const is2of3 = kind === 'primary' && world.scheme === 'THREE_OF_FIVE' && !next.parties.includes('R2')
  return post({ ...signed, scheme: is2of3 ? 'TWO_OF_THREE' : scheme }, `answer ${signed.records.length - 1}`)
}

function confirm(world: World, rules: Rules, ceremony: Ceremony): Next {
  if (ceremony.step === 'confirmed') return world
  if (world.R2.isQuarantined) return undefined
  const { fromEpoch } = ceremony
  const row = world.R1.rows.primary
  const isDealer = row ? getPackage(world, row.package).parties.includes('R2') : false
  const source = world.R2.rows.primary
  const activeSets = countActive(world.R2)
  const decision = rules.relay.onCommit({ ceremony, source, fromEpoch, isDealer, activeSets })
  return decision.action === 'refuse' ? undefined : setStep(world, 'R2', ceremony, 'confirmed')
}

/** A record reaches R2. */
export function tell(world: World, rules: Rules, index: number, isFromPeer = true): Next {
  const record = world.records[index]
  // R1 sends what its database has. A restored R1 no longer sends what it lost.
  if (!record || !world.hasR2 || world.R2.isQuarantined) return undefined
  if (!record.isForged && !world.R1.log.includes(record)) return undefined
  return learn(world, rules, 'R2', record, isFromPeer)
}

/** R1 sends R2 what it owes, before any other request about the wallet. */
function tellAll(world: World, rules: Rules): Next {
  const owed = world.R1.log.filter(record => !world.R2.log.includes(record))
  return owed.reduce<Next>((next, record) => next && learn(next, rules, 'R2', record), world)
}

/** A relay appends a record to its log, and applies it to its set. */
export function learn(world: World, rules: Rules, party: RelayId, record: SignedRecord, isFromPeer = true): Next {
  const { log, rows, ceremonies } = world[party]
  const at = log.find(({ generation }) => generation === record.generation)?.id
  const extension = rules.log.onNewRecord(getHead(log), at, { ...record, hash: record.id })
  if (extension !== 'append') return undefined
  const row = rows[record.setId]
  const ceremony = Object.values(ceremonies).find(
    ({ transcript, step }) => transcript === record.transcript && step === 'confirmed',
  )
  const generation = newest(log, record.setId)?.generation
  const decision = rules.relay.onRecord({ party, isFromPeer, set: row, generation, ceremony }, record)
  const next = witness(world, party, record)
  // A relay that has no part in the set keeps the record as a witness.
  if (decision.action === 'refuse') return row ? undefined : next
  return applyRecord(next, rules, party, { record, row, ceremony, action: decision.action })
}

interface Found {
  readonly record: SignedRecord
  readonly row: Row | undefined
  readonly ceremony: Ceremony | undefined
  readonly action: string
}

function applyRecord(world: World, rules: Rules, party: RelayId, { record, row, ceremony, action }: Found): World {
  const revoked = { status: 'revoked', hasShare: false } as const
  if (action === 'freeze') return freezeAll(world, party)
  if (action === 'lose' && row)
    return setRow(world, party, { ...row, epoch: record.epoch, isFrozen: true, isLost: true })
  if (action === 'revoke' && row) return setRow(world, party, { ...row, ...revoked })
  if (action === 'end' || action === 'endOthers') {
    const { ceremonies } = world[party]
    const isOver = (it: Ceremony) => action === 'end' || (it.isAdditional && it.transcript !== record.transcript)
    const over = Object.values(ceremonies).filter(it => it.setId === record.setId && isOver(it))
    return setRelay(world, party, {
      ceremonies: endAll(
        ceremonies,
        over.map(({ ceremonyId }) => ceremonyId),
      ),
    })
  }
  const done = ceremony ? setStep(world, party, ceremony, 'done') : world
  if (action === 'leave') return row ? setRow(done, party, { ...row, ...revoked, epoch: record.epoch }) : done
  if (!ceremony) return world
  const next = getPackage(world, record.package)
  const agreed = { policyHash: ceremony.policyHash, unconfirmed: [] }
  const { policyHash, unconfirmed } = rules.relay.adoptedPolicy(row, row ?? agreed, agreed)
  const adopted = { ...rowOf(next, next.setId, policyHash), unconfirmed, isFrozen: row?.isFrozen ?? false }
  return setRow(done, party, adopted)
}

function freezeAll(world: World, party: RelayId): World {
  const rows = Object.entries(world[party].rows).map(([id, row]) => [id, { ...row, isFrozen: true }])
  return setRelay(world, party, { rows: Object.fromEntries(rows) })
}

/** A relay keeps the record. From here on, no snapshot of one relay may bring back what it replaced. */
export function witness(world: World, party: RelayId, record: SignedRecord): World {
  const next = setRelay(world, party, { log: [...world[party].log, record] })
  if (record.isForged) return next
  const replaced = Object.values(world.packages).filter(
    ({ id, setId, epoch }) =>
      setId === record.setId && (record.status === 'revoked' || (id !== record.package && epoch <= record.epoch)),
  )
  return know(next, { gone: [...new Set([...world.truth.gone, ...replaced.map(({ id }) => id)])].sort() })
}

/** Another user got a record of the wallet, and posts it to R2. */
export function postRecord(world: World, rules: Rules, index: number): Next {
  return rules.demandsPeerSignature ? undefined : tell(world, rules, index, false)
}

/** The user revokes an additional set with the primary device. */
export function revoke(world: World, rules: Rules, device: Device, setId: SetId): Next {
  if (!getPrimary(world, device) || world.R1.isQuarantined) return undefined
  const set = world.R1.rows[setId]
  const ceremonies = Object.values(world.R1.ceremonies).filter(ceremony => ceremony.setId === setId)
  const waiting = ceremonies.find(({ step }) => step === 'dealt')
  const decision = rules.relay.onRevoke({ set, ceremonies })
  if (decision.action === 'refuse') return !set && waiting ? know(world, { stuck: waiting.ceremonyId }) : undefined
  const id = set?.package ?? waiting?.package
  if (id === undefined) return undefined
  const of = getPackage(world, id)
  const row = {
    ...rowOf(of, of.setId, (set ?? waiting)?.policyHash ?? ''),
    status: 'revoked',
    hasShare: false,
  } as const
  const ended = waiting && !set ? setStep(world, 'R1', waiting, 'ended') : world
  const revoked = sign(setRow(ended, 'R1', row), of, { status: 'revoked', policyHash: row.policyHash })
  return know(revoked, { ended: [...world.truth.ended, id] })
}

/** The user ends a ceremony of the wallet with the primary device. */
export function abort(world: World, rules: Rules, device: Device, ceremonyId: string): Next {
  const ceremony = world.R1.ceremonies[ceremonyId]
  if (!getPrimary(world, device) || ceremony?.step !== 'dealt' || world.R1.isQuarantined) return undefined
  const decision = rules.relay.onAbort(ceremony, { walletId: ceremony.walletId, kind: 'primary' })
  if (decision.action !== 'end') return know(world, { stuck: ceremonyId })
  const atR2 = world.R2.ceremonies[ceremonyId]
  const ended = setStep(world, 'R1', ceremony, 'ended')
  const everywhere = atR2?.step === 'dealt' ? setStep(ended, 'R2', atR2, 'ended') : ended
  return know(everywhere, { ended: [...world.truth.ended, ceremony.package] })
}

/** The user signs a new policy of a set, which every relay of the set takes. */
export function setPolicy(world: World, rules: Rules, device: Device, setId: SetId, policyHash: string): Next {
  const row = world.R1.rows[setId]
  if (!getPrimary(world, device) || row?.status !== 'active' || row.policyHash === policyHash || world.R1.isQuarantined)
    return undefined
  const of = getPackage(world, row.package)
  const atR2 = world.R2.rows[setId]
  const needsR2 = of.parties.includes('R2')
  if (needsR2 && (atR2?.package !== of.id || atR2.isFrozen || world.R2.isQuarantined)) return undefined
  const told = needsR2 ? tellAll(world, rules) : world
  if (!told) return undefined
  const first = needsR2 && atR2 ? setRow(told, 'R2', { ...atR2, policyHash, unconfirmed: [] }) : told
  const both = sign(setRow(first, 'R1', { ...row, policyHash }), of, { status: 'active', policyHash })
  return know(both, { policies: { ...world.truth.policies, [setId]: [policyHash] } })
}

/** Another user begins a ceremony of their own wallet, with the ID of a set of this one. */
export function intrude(world: World, rules: Rules, setId: SetId): World {
  const { primary } = world.R1.rows
  const source = primary && { ...primary, walletId: OTHER, epoch: 0, isFrozen: false }
  const request = {
    ceremonyId: 'x',
    environmentId: 'e',
    walletId: OTHER,
    setId,
    fromEpoch: 0,
    isAdditional: true,
    policyHash: '',
  }
  return (['R1', 'R2'] as const).reduce((next, party) => {
    const state = next[party]
    const ceremonies = Object.values(state.ceremonies).filter(ceremony => ceremony.setId === setId)
    const taken = state.rows[setId]
    const decision = rules.relay.onBegin({ source, policyHash: '', taken, ceremonies, activeSets: 1 }, request)
    if (decision.action === 'refuse' || decision.ends.length === 0) return next
    return setRelay(next, party, { ceremonies: endAll(state.ceremonies, decision.ends) })
  }, world)
}

/** A lying R1 signs that the primary set is revoked, or that a package is active. */
export function forge(world: World, _: Rules, what: 'revoked' | 'active'): Next {
  const row = world.R1.rows.primary
  const dealt = Object.values(world.packages).findLast(({ setId }) => setId === 'primary')
  const id = what === 'revoked' ? row?.package : dealt?.id
  if (id === undefined) return undefined
  const of = getPackage(world, id)
  const record = recordOf(of, world.R1.log, { status: what, policyHash: row?.policyHash ?? '', isForged: true })
  const lying = know({ ...world, records: [...world.records, record] }, { isR1Lying: true })
  return post(lying, `answer ${world.records.length}`)
}

export function getHead(log: readonly SignedRecord[]): Head | undefined {
  const last = log.at(-1)
  return last && { generation: last.generation, hash: last.id }
}
