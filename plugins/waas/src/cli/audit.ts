/** `npx @keybay/waas audit …`: verifies an exported log of signed records, and a wallet's history in it, offline. */
import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import {
  compareHistories,
  hashText,
  type LogEntry,
  LogError,
  type Side,
  verifyHistory,
  verifyLog,
} from '../mpc/lifecycle/log.js'
import { type DevicePublicKey, recordSchema, verifyJws } from '../relay-client/index.js'

const jwk = v.object({ kty: v.literal('EC'), crv: v.literal('P-256'), x: v.string(), y: v.string() })
const partyFile = v.object({ party: v.picklist(['R1', 'R2']), recordKeys: v.array(jwk) })
const line = v.union([
  v.strictObject({ sequence: v.number(), record: v.string(), policy: v.string(), hash: v.string() }),
  v.strictObject({ head: v.string() }),
])
const headClaims = v.object({ iss: v.picklist(['R1', 'R2']), sequence: v.number(), hash: v.string(), iat: v.number() })
/** Seconds that a date can show. */
const times = v.object({ iat: v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e12)) })
/** Characters by which a policy could write over other lines of the terminal. */
const CONTROL = /\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u

type Keys = Readonly<Record<'R1' | 'R2', readonly DevicePublicKey[]>>
type Say = (line: string) => void
interface AuditEntry extends LogEntry {
  readonly kind: string
  readonly device: string
  /** Seconds since epoch. */
  readonly at: number
}
interface Log {
  readonly file: string
  readonly party: 'R1' | 'R2'
  readonly entries: readonly AuditEntry[]
}

export interface Audit {
  /** One log, or two to compare. */
  readonly logs: readonly string[]
  /** Answers of the relays to `GET /party`. */
  readonly keys: readonly string[]
  readonly wallet: string | undefined
}

/** @throws Error for a log that is not whole, or two logs of which the first lacks records or has others */
export async function audit({ logs, keys: keyFiles, wallet }: Audit, say: Say): Promise<void> {
  if (logs.length > 2) throw new Error('Give one log, or two to compare.')
  const keys = await readKeys(keyFiles)
  const verified: Log[] = []
  for (const file of logs) {
    const log = await readLog(file, keys)
    verified.push(log)
    const wallets = new Set(log.entries.map(({ claims }) => claims.walletId)).size
    say(`${file}: ${log.entries.length} records of ${wallets} wallets, complete and signed. Log of ${log.party}.`)
    say(`Last entry: ${log.entries.at(-1)?.hash ?? 'none'}`)
  }
  const [first, second] = verified
  if (first && second) compareLogs(first, second, say)
  if (first && wallet !== undefined) showHistory(first, wallet, say)
}

async function readKeys(files: readonly string[]): Promise<Keys> {
  const keys: Record<'R1' | 'R2', DevicePublicKey[]> = { R1: [], R2: [] }
  for (const file of files) {
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), partyFile), await readText(file))
    if (!parsed.success) throw new Error(`${file} isn’t a relay’s answer to GET /party.`)
    keys[parsed.output.party].push(...parsed.output.recordKeys)
  }
  if (keys.R1.length === 0) throw new Error('Add the record keys of R1: --keys <its answer to GET /party>')
  return keys
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => {
    throw new Error(`${file} can't be read.`)
  })
}

async function readLog(file: string, keys: Keys): Promise<Log> {
  const fail = (why: string) => new Error(`${file}: ${why}`)
  const lines = (await readText(file)).split('\n').filter(text => text !== '')
  const entries: AuditEntry[] = []
  let head: string | undefined
  for (const [index, text] of lines.entries()) {
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), line), text)
    if (!parsed.success || head !== undefined) throw fail(`line ${index + 1} isn’t an entry of a log.`)
    if ('head' in parsed.output) head = parsed.output.head
    else entries.push({ ...parsed.output, ...(await readRecord(parsed.output, keys, fail)) })
  }
  const signed = await readHead(head, keys, fail)
  try {
    if (verifyLog(entries) !== signed.hash || entries.length !== signed.sequence)
      throw fail('entries are missing at the end: the signed head names another last entry.')
  } catch (error) {
    throw error instanceof LogError ? fail(error.message) : error
  }
  return { file, party: signed.iss, entries }
}

type Fail = (why: string) => Error

async function readRecord({ record, policy }: Pick<LogEntry, 'record' | 'policy'>, keys: Keys, fail: Fail) {
  const signed = await verifyJws(record, 'keybay-record+jwt', keys.R1)
  const parsed = v.safeParse(v.intersect([recordSchema, times]), signed)
  if (!parsed.success) throw fail(`R1 didn’t sign this record: ${JSON.stringify(record.slice(0, 40))}…`)
  if (CONTROL.test(policy)) throw fail('a policy has control characters.')
  const { wallet: walletId, set: setId, gen: generation, policy: policyHash, ...said } = parsed.output
  const { epoch, status, prev, kind, device, backup, iat: at } = said
  const claims = { walletId, setId, epoch, status, generation, prev, policyHash, backupAccount: backup?.account }
  return { claims, kind, device, at }
}

async function readHead(head: string | undefined, { R1, R2 }: Keys, fail: Fail) {
  if (head === undefined) throw fail('the signed head is missing at the end.')
  for (const [party, keys] of [
    ['R1', R1],
    ['R2', R2],
  ] as const) {
    const parsed = v.safeParse(headClaims, await verifyJws(head, 'keybay-log+jwt', keys))
    if (parsed.success && parsed.output.iss === party) return parsed.output
  }
  throw fail('no relay whose keys you gave signed its head. Add --keys <answer to GET /party> of that relay.')
}

function getHistories({ entries }: Log): ReadonlyMap<string, readonly AuditEntry[]> {
  const histories = new Map<string, AuditEntry[]>()
  for (const entry of entries) {
    const history = histories.get(entry.claims.walletId)
    if (history) history.push(entry)
    else histories.set(entry.claims.walletId, [entry])
  }
  return histories
}

/** Returns one log's side of a comparison. @param other the other log's history of the wallet */
function getSide(own: readonly AuditEntry[] | undefined, other: readonly AuditEntry[] | undefined): Side | undefined {
  const head = own && verifyHistory(own)
  const counterpart = other && own?.[other.length - 1]
  return head && { ...head, at: counterpart && hashText(counterpart.record) }
}

function compareLogs(first: Log, second: Log, say: Say): void {
  const [own, other] = [getHistories(first), getHistories(second)]
  const worse: string[] = []
  for (const walletId of new Set([...own.keys(), ...other.keys()])) {
    const [mine, theirs] = [own.get(walletId), other.get(walletId)]
    const relation = compareHistories(getSide(mine, theirs), getSide(theirs, mine))
    if (relation === 'ahead') say(`${second.file} does not have the newest records of wallet ${walletId}.`)
    if (relation === 'behind') worse.push(`${first.file} lacks the newest records of wallet ${walletId}.`)
    if (relation === 'fork')
      worse.push(`The logs have different histories of wallet ${walletId}, ${findFork(mine, theirs)}.`)
  }
  if (worse.length > 0) throw new Error(worse.join('\n'))
  say('No record of the second log is missing in the first.')
}

function findFork(own: readonly AuditEntry[] = [], other: readonly AuditEntry[] = []): string {
  const index = own.findIndex(({ record }, place) => record !== other[place]?.record)
  const times = [own[index], other[index]].map(entry => entry && showTime(entry))
  return `from record ${index} on (${times.join(' and ')})`
}

function showTime({ at }: AuditEntry): string {
  return new Date(at * 1000).toISOString()
}

function showHistory(log: Log, walletId: string, say: Say): void {
  const history = getHistories(log).get(walletId)
  if (!history) throw new Error(`${log.file} has no record of wallet ${walletId}.`)
  for (const entry of history) {
    const { claims, kind, device, policy } = entry
    const { generation, setId, epoch, status, backupAccount = 'none' } = claims
    const facts = `${kind} ${setId}  epoch ${epoch}  ${status}  device ${device}`
    say(`${generation}  ${showTime(entry)}  ${facts}  policy ${policy}  backup account ${backupAccount}`)
  }
}
