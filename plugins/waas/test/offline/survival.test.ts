/** The table of RECOVERY.md: each cell is computed with real shares, so that its promises are true. */
import { readFileSync } from 'node:fs'
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { ed25519 } from '@noble/curves/ed25519.js'
import { describe, expect, it } from 'vitest'
import {
  combineShares,
  dealScalar,
  erase,
  groupKey,
  type KeyShare,
  type Party,
  SCHEMES,
  signWithScalar,
} from '../../src/mpc/index.js'

const LOST: Readonly<Record<string, readonly Party[]>> = {
  nothing: [],
  'the device': ['C'],
  'the backup': ['B1', 'B2'],
  'one service': ['R1'],
  'all services': ['R1', 'R2'],
  'the device and the backup': ['C', 'B1', 'B2'],
  'the device and one service': ['C', 'R1'],
  'the device and all services': ['C', 'R1', 'R2'],
  'the backup and one service': ['B1', 'B2', 'R1'],
  everything: ['C', 'B1', 'B2', 'R1', 'R2'],
}
const NAMES: Readonly<Record<string, ThresholdSignatureScheme>> = {
  '2 of 2': 'TWO_OF_TWO',
  '2 of 3': 'TWO_OF_THREE',
  '3 of 5': 'THREE_OF_FIVE',
}

function getShares(scheme: ThresholdSignatureScheme): readonly KeyShare[] {
  const ids = { ceremonyId: 'c', walletId: 'w', setId: 's', epoch: 0, curve: 'ed25519' as const }
  const scalar = new Uint8Array(32).fill(9, 0, 31)
  const { set, subShares } = dealScalar({ ...ids, ...SCHEMES[scheme] }, scalar)
  return subShares.map(({ to, secret }) => ({ set, party: to, secret }))
}

/** Returns true if these shares recover a key that signs for the wallet. */
function reaches(shares: readonly KeyShare[]): boolean {
  let scalar: Uint8Array
  try {
    scalar = combineShares(shares)
  } catch {
    return false
  }
  const message = new TextEncoder().encode('moved')
  const [first] = shares
  const valid = first !== undefined && ed25519.verify(signWithScalar(scalar, message), message, groupKey(first.set))
  erase(scalar)
  return valid
}

/** Returns what the remaining shares can do. */
function outcome(scheme: ThresholdSignatureScheme, lost: readonly Party[]): string {
  const all = getShares(scheme)
  const left = all.filter(({ party }) => !lost.includes(party))
  const isRelay = ({ party }: KeyShare) => party === 'R1' || party === 'R2'
  const services = left.filter(isRelay)
  const servicesStand = services.length === all.filter(isRelay).length
  const has = (party: Party) => left.some(share => share.party === party)
  if (!reaches(left)) return 'lost'
  if (servicesStand && has('C')) return 'goes on'
  if (servicesStand && has('B1')) return 'restore'
  return reaches(left.filter(share => !isRelay(share))) ? 'offline' : 'with its operator'
}

function getCells(line: string): readonly string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map(cell => cell.trim())
}
const lines = readFileSync(new URL('../../RECOVERY.md', import.meta.url), 'utf8').split('\n')

function isRow(line: string | undefined): boolean {
  return line?.startsWith('|') === true
}
// The first table: there are others after it.
const start = lines.findIndex(isRow)
const end = lines.findIndex((line, index) => index > start && !isRow(line))
const [head = '', , ...rows] = lines.slice(start, end)
const [, ...schemes] = getCells(head)

describe('the losses in RECOVERY.md', () => {
  it('RECOVERY.md names every loss once', () => {
    expect(rows.map(row => getCells(row)[0])).toEqual(Object.keys(LOST))
    expect(schemes).toEqual(Object.keys(NAMES))
  })
  const cells = rows.flatMap(row => {
    const [lost = '', ...said] = getCells(row)
    return schemes.map((scheme, index) => ({ lost, scheme, said: said[index] ?? '' }))
  })
  it.each(cells)('RECOVERY.md is right about $scheme after the loss of $lost: $said', ({ lost, scheme, said }) => {
    const of = NAMES[scheme]
    const parties = LOST[lost]
    if (!of || !parties) throw new Error(`unknown: ${lost}, ${scheme}`)
    const hasNone = parties.includes('B1') && !SCHEMES[of].parties.includes('B1') && lost !== 'everything'
    expect(said).toBe(hasNone ? '–' : outcome(of, parties))
  })
})
