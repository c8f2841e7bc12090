/** Tests `archive`, and `audit` of what it leaves, on a real PostgreSQL with running services. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apiClient, post, startWorld as startCustodyWorld } from '@keybay/sandbox-custody/testing/world'
import { create, ok, only, sign, text, type Wallet } from '@keybay/sandbox-relay/testing/frame/index'
import { startWorld, type World } from '@keybay/sandbox-relay/testing/world'
import { type Postgres, startPostgres } from '@keybay/sandbox-service/testing/postgres'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { archive } from '../src/archive.js'
import { audit } from '../src/audit.js'
import { makeKeys } from '../src/keygen.js'
import { drillRestore } from '../src/restore-drill/index.js'
import type { Env, ServiceName } from '../src/services.js'
import { dump, query } from './backups.js'

const PROGRAM = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const DAY = 86_400_000
const TODAY = new Date()
/** The middle of the month 14 months ago: no test runs across its end. */
const OLD = Date.UTC(TODAY.getUTCFullYear(), TODAY.getUTCMonth() - 14, 15)
const folder = temporaryFolder()

function read(file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}

function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7)
}

let database: Postgres
beforeAll(async () => {
  database = await startPostgres()
  await makeKeys({ folder, services: ['r1', 'r2', 'custody'] })
}, 120_000)
afterAll(() => database?.stop())

describe('a relay with entries of 14 months ago', () => {
  const EMAIL = 'ann@example.com'
  const out = join(folder, 'r1-archive')
  let urls: Readonly<Record<'r1' | 'r2', string>>
  let world: World
  let wallet: Wallet
  let environments: ReadonlyMap<ServiceName, Env>
  const plan = { folder: out, months: 12, isErasing: false, now: Date.now() }
  const signText = async (words: string) => ok(await sign(only(world.r1), wallet, text(words)))
  /** Sessions end in less than a year. */
  const signIn = async () => {
    wallet = { ...wallet, user: await world.user(EMAIL) }
  }
  const auditWith = (archived?: string) =>
    audit({ environments, logs: [], keys: [], wallet: undefined, archive: archived })

  beforeAll(async () => {
    urls = { r1: database.create('archive_r1'), r2: database.create('archive_r2') }
    const relay = (name: 'r1' | 'r2') => ({
      keys: read(`${name}/keys.json`),
      kek: read(`${name}/kek`),
      databaseUrl: urls[name],
    })
    world = await startWorld({ r1: relay('r1'), r2: relay('r2') })
    environments = new Map([
      [
        'r1',
        {
          RELAY_DATABASE_URL: urls.r1,
          RELAY_KEYS_FILE: join(folder, 'r1', 'keys.json'),
          RELAY_KEK_FILE: join(folder, 'r1', 'kek'),
          RELAY_PEER_URL: world.r2.internalUrl,
        },
      ],
    ])
    world.advance(OLD - Date.now())
    // The first entries have no partition yet, as with a clock that is wrong.
    wallet = await create(only(world.r1), await world.user(EMAIL), { scheme: 'TWO_OF_THREE' })
    await signText('long ago')
    world.advance(Date.now() - OLD)
    await signIn()
    await signText('today')
    await world.r1.sweep()
  }, 120_000)
  afterAll(() => world?.stop())

  it('keeps every month when the clock of the operator, or of the database, is behind', async () => {
    await expect(archive(environments, { ...plan, now: 0 })).resolves.toMatch(
      /no month before 1969-01 is in the database/,
    )
    await expect(archive(environments, { ...plan, months: 1 })).rejects.toThrow('r1: Keep 2 months or more')
    expect(await auditWith()).toMatch(/r1: 1 audit chains, 3 entries since the last archived entry, complete/)
  })

  it.each([
    ['before it has sorted out rows without a partition', 'audit_default', 'access exclusive', 0],
    ['while it writes a month', 'archives', 'access exclusive', 0],
    ['before it drops a month', `audit_${monthOf(OLD).replace('-', '_')}`, 'row exclusive', 1],
  ])(
    'a command that is killed %s loses nothing',
    async (_, table, mode, complete) => {
      const holder = postgres(urls.r1, { max: 1, onnotice: () => undefined })
      const other = postgres(urls.r1, { max: 1, onnotice: () => undefined })
      await holder.begin(async sql => {
        await sql.unsafe(`lock table ${table} in ${mode} mode`)
        const env = { ...process.env, ...environments.get('r1') }
        const child = spawn(process.execPath, [PROGRAM, 'archive', 'r1', '--out', out], { env, stdio: 'ignore' })
        for (let isWaiting = false; !isWaiting; ) {
          const rows = await other`select 1 from pg_locks where not granted and relation = ${table}::regclass`
          isWaiting = rows.length > 0
        }
        child.kill('SIGKILL')
        await once(child, 'exit')
      })
      await other.end()
      await holder.end()
      expect(readdirSync(out).filter(file => file.endsWith('.jsonl'))).toHaveLength(complete)
      expect(await auditWith()).toMatch(/3 entries since the last archived entry, complete/)
    },
    60_000,
  )

  it('archives the old month, in which the chain of a wallet begins, and the wallet signs on', async () => {
    const backup = dump(urls.r1, join(folder, 'before.dump'))
    const file = `r1-audit-${monthOf(OLD)}.jsonl`
    expect(await archive(environments, { ...plan, now: Date.now() + 3_660 * DAY })).toBe(
      `r1: 2 rows of audit of ${monthOf(OLD)} are in ${file}.`,
    )
    expect(await archive(environments, plan)).toMatch(/^r1: no month before/)
    await signText('after the archive')
    expect(await auditWith()).toMatch(/r1: 1 audit chains, 2 entries since the last archived entry, complete/)
    expect(await auditWith(out)).toMatch(/r1: 1 audit chains, 4 entries with 1 archived files, complete/)
    for (const dumped of [backup, dump(urls.r1, join(folder, 'after.dump'))]) {
      const results = await drillRestore(environments, dumped)
      expect(results.filter(({ ok }) => !ok)).toEqual([])
    }
    const content = readFileSync(join(out, file), 'utf8')
    writeFileSync(join(out, file), content.replace('signed', 'denied'))
    await expect(auditWith(out)).rejects.toThrow(`${file} is not the file that was archived`)
    rmSync(join(out, file))
    await expect(auditWith(out)).rejects.toThrow(`${file} is missing`)
    writeFileSync(join(out, file), content)
  }, 120_000)

  it('an entry of a month that was archived before goes to a second file', async () => {
    world.advance(OLD - Date.now())
    await signIn()
    await signText('a clock a year behind')
    world.advance(Date.now() - OLD)
    await signIn()
    await signText('and right again')
    expect(await archive(environments, plan)).toBe(
      `r1: 1 rows of audit of ${monthOf(OLD)} are in r1-audit-${monthOf(OLD)}.2.jsonl.`,
    )
    expect(await auditWith(out)).toMatch(/6 entries with 2 archived files, complete/)
    expect(await auditWith()).toMatch(/1 entries since the last archived entry, complete/)
  })

  it('audit refuses a database in which an entry was changed or removed after its archive', async () => {
    const [row] = await query(urls.r1, 'select tableoid::regclass::text as partition from audit where sequence = 6')
    const { partition } = Object(row)
    await query(urls.r1, `drop trigger audit_is_append_only on ${partition}`)
    const changed = `update ${partition} set entry = replace(entry, 'signed', 'denied') where sequence = 6`
    await query(urls.r1, changed)
    await expect(auditWith()).rejects.toThrow(`The audit chain of ${wallet.setId} breaks at entry 6`)
    await query(urls.r1, `delete from ${partition} where sequence = 6`)
    await expect(auditWith(out)).rejects.toThrow(`The audit chain of ${wallet.setId} breaks at entry 6`)
  })
})

it('archived activities of custody do not happen again, open ones stay, and chains continue', async () => {
  const out = join(folder, 'custody-archive')
  const databaseUrl = database.create('archive_custody')
  const world = await startCustodyWorld({
    databaseUrl,
    kek: read('custody/kek'),
    enclaveKey: read('custody/enclave.pem'),
  })
  const environments = new Map([['custody' as const, { CUSTODY_DATABASE_URL: databaseUrl }]])
  const { clock, internalUrl } = world.custody
  const back = OLD - Date.now()
  const auditWith = (archived?: string) =>
    audit({ environments, logs: [], keys: [], wallet: undefined, archive: archived })
  try {
    clock.advance(back)
    const user = await world.user()
    const client = apiClient(internalUrl, await world.session(user))
    const signed = await client.stampSignRawPayload(user.signature('aa'))
    expect((await post(internalUrl, 'submit/sign_raw_payload', signed)).answer.activity.status).toMatch(/COMPLETED/)
    const open = `update activities set status = 'ACTIVITY_STATUS_CONSENSUS_NEEDED' where id =
      (select id from activities where type like '%CREATE_SUB_ORG%' limit 1)`
    await query(databaseUrl, open)
    clock.advance(-back)
    const lines = await archive(environments, { folder: out, months: 12, isErasing: false, now: Date.now() })
    expect(lines).toMatch(/custody: \d+ rows of audit of .*\ncustody: \d+ rows of activities of /)
    const votes = 'select count(*)::int as n from votes where activity_id not in (select id from activities)'
    expect(await query(databaseUrl, votes)).toEqual([{ n: 0 }])
    expect(await query(databaseUrl, 'select status from activities')).toEqual([
      { status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED' },
    ])
    clock.advance(back)
    const repeated = await post(internalUrl, 'submit/sign_raw_payload', signed)
    expect(repeated.answer).toMatchObject({ code: 5 })
    clock.advance(-back)
    expect(await auditWith(out)).toMatch(/custody: \d+ audit chains, \d+ entries with 1 archived files, complete/)
    expect(await auditWith()).toMatch(/0 entries since the last archived entry, complete/)
    const [file = ''] = readdirSync(out).filter(
      name => name.startsWith('custody-activities') && name.endsWith('.jsonl'),
    )
    const rows = readFileSync(join(out, file), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(rows.every(({ votes }) => votes.length === 1)).toBe(true)
  } finally {
    await world.stop()
  }
}, 120_000)

it('archive --erase removes an erased user from archived activities, also after it was killed, and audit verifies', async () => {
  const out = join(folder, 'erased-archive')
  const databaseUrl = database.create('erased_custody')
  const keys = { kek: read('custody/kek'), enclaveKey: read('custody/enclave.pem') }
  const world = await startCustodyWorld({ databaseUrl, ...keys })
  const environments = new Map([['custody' as const, { CUSTODY_DATABASE_URL: databaseUrl }]])
  const { custody, operator } = world
  const plan = { folder: out, months: 12, now: Date.now() }
  const erase = () => archive(environments, { ...plan, isErasing: true })
  const auditAll = () => audit({ environments, logs: [], keys: [], wallet: undefined, archive: out })
  try {
    custody.clock.advance(OLD - Date.now())
    const [erased, other] = [await world.user(), await world.user()]
    for (const { client, signature } of [erased, other]) await client.signRawPayload(signature('aa'))
    custody.clock.reset()
    await archive(environments, { ...plan, isErasing: false })
    const [file = ''] = readdirSync(out).filter(name => /^custody-activities-.*jsonl$/.test(name))
    const path = join(out, file)
    const before = readFileSync(path, 'utf8')
    for (const { email, organizationId } of [erased, other])
      for (const name of [email, organizationId]) expect(before).toContain(name)
    expect(await erase()).toBe('custody: no archived file names an erased user.')
    expect(readFileSync(path, 'utf8')).toBe(before)

    const { organizationId: operatorId } = custody
    const body = { organizationId: operatorId, subOrganizationId: erased.organizationId, action: 'erase' }
    await operator.request('/operator/organizations', { ...body, timestampMs: world.now() })
    custody.clock.advance(15 * DAY)
    await custody.sweep()
    expect(await erase()).toBe(`custody: erased users are gone from ${file}.`)
    const after = readFileSync(path, 'utf8')
    const check = async () => {
      expect(readFileSync(path, 'utf8')).toBe(after)
      expect(readdirSync(out).filter(name => name.endsWith('.draft'))).toEqual([])
      const sha256 = createHash('sha256').update(after).digest('hex')
      expect(readFileSync(`${path}.sha256`, 'utf8')).toBe(`${sha256}  ${file}\n`)
      expect(await auditAll()).toMatch(/entries with 1 archived files, complete/)
    }
    await check()
    for (const name of [erased.email, `"organization_id":"${erased.organizationId}"`]) expect(after).not.toContain(name)
    for (const line of after.trim().split('\n')) expect(before).toContain(JSON.stringify(JSON.parse(line).id))
    const ofOther = (text: string) => text.split('\n').filter(line => line.includes(other.organizationId))
    expect(ofOther(after)).toEqual(ofOther(before))
    expect(await erase()).toBe('custody: no archived file names an erased user.')

    // The state of a run that was killed after the database had taken the new hash.
    writeFileSync(`${path}.draft`, after)
    writeFileSync(path, before)
    expect(await erase()).toBe('custody: no archived file names an erased user.')
    await check()
    writeFileSync(path, before)
    await expect(erase()).rejects.toThrow(`${file} is not the file that was archived`)
    rmSync(path)
    await expect(erase()).rejects.toThrow(`${file} is missing`)
  } finally {
    await world.stop()
  }
}, 120_000)
