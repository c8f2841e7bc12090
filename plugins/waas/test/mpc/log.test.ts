/** Rules of the log of signed records. */
import {
  afterComparison,
  compareHistories,
  type HistoryClaims,
  hashEntry,
  hashText,
  type LogEntry,
  onNewRecord,
  verifyHistory,
  verifyLog,
} from '@keybay/waas/mpc'
import { describe, expect, it } from 'vitest'

type Facts = Partial<HistoryClaims> & { readonly walletId: string }

/** Returns a whole log of these records, in this order. */
function logOf(all: readonly Facts[]): LogEntry[] {
  const entries: LogEntry[] = []
  for (const facts of all) {
    const history = entries.filter(({ claims }) => claims.walletId === facts.walletId)
    const before = history.at(-1)
    const claims: HistoryClaims = {
      setId: 'primary',
      epoch: 0,
      status: 'active',
      generation: history.length,
      prev: before ? hashText(before.record) : '',
      policyHash: hashText('null'),
      ...facts,
    }
    const record = JSON.stringify(claims)
    const hash = hashEntry(entries.at(-1)?.hash ?? '', record)
    entries.push({ claims, record, policy: 'null', sequence: entries.length + 1, hash })
  }
  return entries
}

/** Returns the entries as a log that is whole again by its numbers and hashes. */
function relinked(entries: readonly LogEntry[]): LogEntry[] {
  const all: LogEntry[] = []
  for (const entry of entries)
    all.push({ ...entry, sequence: all.length + 1, hash: hashEntry(all.at(-1)?.hash ?? '', entry.record) })
  return all
}

const [a, b] = ['a', 'b']
const log = logOf([
  { walletId: a },
  { walletId: b },
  { walletId: a, setId: 'delegate' },
  { walletId: a, setId: 'delegate', status: 'revoked' },
  { walletId: a, epoch: 1 },
])
const [first, second, third, fourth, fifth] = log as [LogEntry, LogEntry, LogEntry, LogEntry, LogEntry]

function fault(entries: readonly LogEntry[]): unknown {
  try {
    verifyLog(entries)
    return undefined
  } catch (error) {
    return Reflect.get(Object(error), 'fault')
  }
}

describe('a log', () => {
  it('a whole log yields the hash of its last entry', () => {
    expect(verifyLog(log)).toBe(fifth.hash)
    expect(verifyLog([])).toBe('')
    expect(verifyHistory(log.filter(({ claims }) => claims.walletId === a))).toEqual({
      generation: 3,
      hash: hashText(fifth.record),
    })
  })
  it('a log with a changed record is refused', () =>
    expect(fault([first, { ...second, record: `${second.record} ` }, third, fourth, fifth])).toBe('chain'))
  it('a log without one of its entries is refused, also with new numbers and hashes', () => {
    expect(fault([first, second, fourth, fifth])).toBe('sequence')
    expect(fault(relinked([first, second, fourth, fifth]))).toBe('generation')
    expect(fault(relinked([second, third]))).toBe('generation')
  })
  it('a log in another order is refused, also with new numbers and hashes', () => {
    expect(fault([first, second, fourth, third, fifth])).toBe('sequence')
    expect(fault(relinked([first, second, fourth, third, fifth]))).toBe('generation')
  })
  it('a log with two records of one generation is refused', () => {
    const [, other] = logOf([{ walletId: a }, { walletId: a, setId: 'other' }]) as [LogEntry, LogEntry]
    expect(fault(relinked([...log.slice(0, 4), other]))).toBe('generation')
    const claims = { ...other.claims, generation: 3 }
    expect(fault(relinked([...log.slice(0, 4), { ...other, claims }]))).toBe('history')
  })
  it('a record with another policy than it names is refused', () =>
    expect(fault([first, second, { ...third, policy: '{}' }, fourth, fifth])).toBe('policy'))
  it('a record that takes the account of the backups away is refused, and another account is not', () => {
    const named = { walletId: a, backupAccount: 'x' }
    expect(fault(logOf([{ walletId: a }, named, { walletId: a, setId: 'device' }]))).toBe('account')
    expect(fault(logOf([{ walletId: a }, named, { ...named, backupAccount: 'y' }]))).toBeUndefined()
  })
  it('a record that revives a revoked set or an earlier epoch is refused', () => {
    const revoked = { walletId: a, setId: 'delegate', status: 'revoked' } as const
    expect(fault(logOf([{ walletId: a }, revoked, { ...revoked, status: 'active' }]))).toBe('revived')
    expect(
      fault(
        logOf([
          { walletId: a, epoch: 2 },
          { walletId: a, epoch: 1 },
        ]),
      ),
    ).toBe('revived')
  })
})

describe('two relays', () => {
  const side = (generation: number, hash: string, at?: string) => ({ generation, hash, at })
  it.each([
    ['both have the same newest record', side(2, 'x', 'x'), side(2, 'x', 'x'), 'equal', 'serve', 'serve'],
    [
      'they have different records of one generation',
      side(2, 'x', 'x'),
      side(2, 'y', 'y'),
      'fork',
      'quarantine',
      'quarantine',
    ],
    ['the peer goes on from the own newest record', side(1, 'x'), side(2, 'y', 'x'), 'behind', 'repair', 'repair'],
    ['the peer goes on from another record', side(1, 'x'), side(2, 'y', 'z'), 'fork', 'quarantine', 'quarantine'],
    [
      'the own history goes on from the newest record of the peer',
      side(2, 'y', 'x'),
      side(1, 'x'),
      'ahead',
      'deliver',
      'serve',
    ],
    [
      'the own history goes on from another record',
      side(2, 'y', 'z'),
      side(1, 'x'),
      'fork',
      'quarantine',
      'quarantine',
    ],
    ['only the peer knows the wallet', undefined, side(0, 'x'), 'behind', 'repair', 'repair'],
    ['only this relay knows the wallet', side(0, 'x'), undefined, 'ahead', 'deliver', 'serve'],
  ] as const)('%s', (_, own, peer, relation, atR1, atR2) => {
    expect(compareHistories(own, peer)).toBe(relation)
    expect([afterComparison('R1', relation), afterComparison('R2', relation)]).toEqual([atR1, atR2])
  })
})

describe('a new record', () => {
  const head = { generation: 1, hash: 'x' }
  it('is appended when it names the newest record, and the first one when it names none', () => {
    expect(onNewRecord(head, undefined, { generation: 2, prev: 'x', hash: 'y' })).toBe('append')
    expect(onNewRecord(undefined, undefined, { generation: 0, prev: '', hash: 'y' })).toBe('append')
  })
  it('is known when the log has it', () => {
    expect(onNewRecord(head, 'x', { generation: 1, prev: 'w', hash: 'x' })).toBe('known')
  })
  it('reveals a gap when records before it are missing', () => {
    expect(onNewRecord(head, undefined, { generation: 3, prev: 'y', hash: 'z' })).toBe('gap')
    expect(onNewRecord(undefined, undefined, { generation: 1, prev: 'y', hash: 'z' })).toBe('gap')
  })
  it('reveals a fork when the log has another record in its place or before it', () => {
    expect(onNewRecord(head, 'x', { generation: 1, prev: 'w', hash: 'y' })).toBe('fork')
    expect(onNewRecord(head, undefined, { generation: 2, prev: 'z', hash: 'y' })).toBe('fork')
  })
})
