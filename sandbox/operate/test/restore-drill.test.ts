/** Tests `restore-drill` of relays and the API on a real PostgreSQL, with its own pg_dump and pg_restore. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  askAlone,
  changeSet,
  create,
  delegateTo,
  newDelegate,
  ok,
  only,
  refusal,
  reshare,
  sign,
  text,
} from '@keybay/sandbox-relay/testing/frame/index'
import { startWorld, type User, type World } from '@keybay/sandbox-relay/testing/world'
import { type Postgres, startPostgres } from '@keybay/sandbox-service/testing/postgres'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Result } from '../src/doctor/check.js'
import { makeKeys } from '../src/keygen.js'
import { drillRestore } from '../src/restore-drill/index.js'
import type { Env } from '../src/services.js'
import { dump, getContent, query, readTexts, restore } from './backups.js'

const PROGRAM = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const server = newDelegate()
const policy = { programs: [], messages: true }
const folder = temporaryFolder()

function read(file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}

type Service = 'api' | 'r1' | 'r2'

let database: Postgres
let urls: Readonly<Record<Service, string>>
let world: World
let envs: Readonly<Record<Service, Env>>

beforeAll(async () => {
  database = await startPostgres()
  const create = (name: string) => database.create(`drill_${name}`)
  urls = { api: create('api'), r1: create('r1'), r2: create('r2') }
  await makeKeys({ folder, services: ['api', 'r1', 'r2'] })
  const relay = (name: 'r1' | 'r2') => ({
    keys: read(`${name}/keys.json`),
    kek: read(`${name}/kek`),
    databaseUrl: urls[name],
  })
  world = await startWorld({
    api: { databaseUrl: urls.api, keys: read('api/keys.json') },
    r1: relay('r1'),
    r2: relay('r2'),
    environment: { delegates: [server.listed] },
  })
  const file = (name: string) => join(folder, name)
  envs = {
    api: { DATABASE_URL: urls.api, API_KEYS_FILE: file('api/keys.json') },
    r1: {
      RELAY_DATABASE_URL: urls.r1,
      RELAY_KEYS_FILE: file('r1/keys.json'),
      RELAY_KEK_FILE: file('r1/kek'),
      RELAY_PEER_URL: world.r2.internalUrl,
    },
    r2: {
      RELAY_PARTY: '2',
      RELAY_DATABASE_URL: urls.r2,
      RELAY_KEYS_FILE: file('r2/keys.json'),
      RELAY_KEK_FILE: file('r2/kek'),
      RELAY_PEER_URL: world.r1.internalUrl,
    },
  }
}, 300_000)
afterAll(async () => {
  await world?.stop()
  database?.stop()
})

function drill(service: Service, backup: string, env: Env = envs[service]): Promise<readonly Result[]> {
  return drillRestore(new Map([[service, env]]), backup)
}

async function listCopies(): Promise<readonly unknown[]> {
  const rows = await query(database.url, "select datname from pg_database where datname like '%restore_drill%'")
  return rows.map(({ datname }) => datname)
}

describe('relays', () => {
  it('prove that shares open and that what was revoked since stays so, of the newest backup in a folder', async () => {
    const r1 = only(world.r1)
    const [owner, robbed, blocked] = [await world.user(), await world.user(), await world.user()]
    const wallet = await create(r1, owner, { scheme: 'TWO_OF_THREE' })
    const { accept } = await delegateTo(r1, wallet, server, { policy })
    const { answer, own: delegate } = await accept()
    ok(answer)
    const stolen = await create(r1, robbed, { scheme: 'TWO_OF_THREE' })
    await create(r1, blocked, { scheme: 'THREE_OF_FIVE' })
    const backups = join(folder, 'r1-backups')
    mkdirSync(backups)
    writeFileSync(join(backups, 'older'), '')
    utimesSync(join(backups, 'older'), 0, 0)
    const backup = dump(urls.r1, join(backups, 'newest.dump'))
    const before = readTexts(await drill('r1', backups))
    expect(before.backup).toContain(backup)
    expect(before).toMatchObject({
      schema: 'The backup has the schema of this version.',
      keys: 'The keys are those that the backup knows.',
      secrets: '4 shares opened.',
      revocations: 'No set was revoked or replaced, and no policy changed, since the backup.',
      blocks: 'No set blocked, frozen or locked since the backup would be valid again.',
      shares: 'Every share of the live database is in the backup.',
    })

    ok(await changeSet(r1, wallet, delegate.setId, 'revoke', {}, true))
    const replaced = await reshare(r1, stolen, { purpose: 'replaceDevice', by: 'B1' })
    ok(await replaced.commit())
    await operate('block', blocked)
    const content = getContent(urls.r1)
    const results = await drill('r1', backups)
    expect(results.filter(result => !result.ok)).toEqual([])
    expect(readTexts(results)).toMatchObject({
      revocations:
        'A relay takes these from the other relay before it signs: 1 revoked set, 1 set with a new device key or new shares.',
      blocks: expect.stringMatching(/^1 set blocked, .* → After a restore, block the users of these wallets again/),
      shares: expect.stringContaining(
        `1 share made since the backup would be lost (wallet and set: ${stolen.walletId} `,
      ),
    })
    expect(getContent(urls.r1)).toBe(content)
    expect(await listCopies()).toEqual([])

    const restored = await world.startR1({
      keys: read('r1/keys.json'),
      kek: read('r1/kek'),
      databaseUrl: restore(database.create('restored_r1'), backup),
    })
    ok(await sign(only(restored), wallet, text('restored')))
    const refused = await sign(only(restored), delegate, text('revoked'), { by: askAlone })
    expect(refused).toMatchObject(refusal(409, 'set_revoked'))
    await restored.stop()
  }, 120_000)

  it('fail when a single relay, a relay that is away or one without the records cannot tell what was revoked', async () => {
    const backup = dump(urls.r1, join(folder, 'before.dump'))
    const wallet = await create(only(world.r1), await world.user(), { scheme: 'TWO_OF_THREE' })
    const later = dump(urls.r1, join(folder, 'later.dump'))
    const change = (status: string) =>
      query(urls.r1, `update share_sets set status = '${status}' where id = '${wallet.setId}'`)
    await change('revoked')
    const where = `1 revoked set \\(wallet and set: ${wallet.walletId} ${wallet.setId}\\)`
    const alone = readTexts(await drill('r1', later, { ...envs.r1, RELAY_PEER_URL: 'none' }))
    expect(alone.revocations).toMatch(
      new RegExp(`^FAIL What changed since .*: ${where}\\. → A single relay has nothing`),
    )
    expect(readTexts(await drill('r1', later)).revocations).toMatch(
      /^FAIL What changed .* → The other relay lacks these records\./,
    )
    await change('active')
    const refreshed = await reshare(only(world.r1), wallet)
    ok(await refreshed.commit())
    const ahead = restore(database.create('ahead'), dump(urls.r1, join(folder, 'ahead.dump')))
    const ofAhead = () => drill('r1', later, { ...envs.r1, RELAY_DATABASE_URL: ahead })
    expect(readTexts(await ofAhead()).revocations).toMatch(
      /^A relay takes these .*: 1 set with a new device key or new/,
    )
    await query(
      ahead,
      `insert into records select sequence + 1, environment_id, wallet_id, generation + 1, record, policy, record_hash, hash
        from records order by sequence desc limit 1`,
    )
    expect(readTexts(await ofAhead()).revocations).toMatch(/^FAIL .* → The other relay lacks these records\./)
    const away = readTexts(await drill('r1', backup, { ...envs.r1, RELAY_PEER_URL: 'http://127.0.0.1:9/api/v0' }))
    expect(away.revocations).toMatch(/^FAIL .* → Start the other relay and let this machine reach it/)
    const forked = restore(database.create('forked'), later)
    await query(forked, 'drop trigger records_is_append_only on records')
    await query(forked, `update records set record_hash = repeat('A', 43) where wallet_id = '${wallet.walletId}'`)
    const twice = readTexts(await drill('r1', dump(forked, join(folder, 'forked.dump'))))
    expect(twice.revocations).toContain(
      `FAIL The relays have different histories of 1 wallet: ${wallet.walletId}. → Follow “Two histories”`,
    )
  }, 120_000)

  it('accept a backup in the format of a directory, also of R2', async () => {
    const backup = dump(urls.r2, join(folder, 'r2-backup'), 'directory')
    const results = await drill('r2', backup)
    expect(results.filter(result => !result.ok)).toEqual([])
    expect(readTexts(results).secrets).toMatch(/^\d+ shares? opened\.$/)
  }, 60_000)

  it('name the remedy for a backup of other keys, of another service or that was cut off, and leave no copy', async () => {
    const backup = dump(urls.r1, join(folder, 'r1.dump'))
    const others = await drill('r1', backup, { ...envs.r1, RELAY_KEK_FILE: envs.r2.RELAY_KEK_FILE })
    expect(others.at(-1)).toMatchObject({
      check: 'keys',
      ok: false,
      remedy: expect.stringMatching(/^Set the keys of the time of the backup\..*does not know this key-encryption key/),
    })
    expect((await drill('r1', dump(urls.api, join(folder, 'api.dump')))).at(-1)).toMatchObject({
      check: 'schema',
      ok: false,
      remedy: expect.stringMatching(/^Make a backup with this version/),
    })
    const cut = join(folder, 'cut.dump')
    copyFileSync(backup, cut)
    truncateSync(cut, Math.floor(statSync(cut).size * 0.7))
    expect((await drill('r1', cut)).at(-1)).toMatchObject({
      check: 'restore',
      ok: false,
      detail: expect.stringMatching(/^The backup cannot be restored: pg_restore: error: /),
      remedy: expect.stringMatching(/^Do not rely on this backup/),
    })
    expect(await listCopies()).toEqual([])
  }, 60_000)

  it('restore nothing where there is no backup, or a database of the name of the copy', async () => {
    const empty = join(folder, 'empty.dump')
    writeFileSync(empty, '')
    expect(readTexts(await drill('r1', empty))).toEqual({
      backup: expect.stringMatching(
        /^FAIL .*empty\.dump is not a backup that pg_restore reads\. → Make backups with "pg_dump/,
      ),
    })
    const { status, stdout } = spawnSync(
      process.execPath,
      [PROGRAM, 'restore-drill', 'r1', '--backup', empty, '--json'],
      { env: { ...process.env, ...envs.r1 }, encoding: 'utf8' },
    )
    expect({ status, results: JSON.parse(stdout) }).toMatchObject({
      status: 1,
      results: [{ check: 'backup', ok: false }],
    })
    const backup = dump(urls.r1, join(folder, 'again.dump'))
    await query(database.create('drill_r1_restore_drill'), 'create table kept ()')
    expect((await drill('r1', backup)).at(-1)).toMatchObject({
      check: 'restore',
      detail: 'A database "drill_r1_restore_drill" exists already, so nothing was restored.',
      remedy: expect.stringContaining('drop database "drill_r1_restore_drill"'),
    })
    expect(
      await query(urls.r1.replace('drill_r1', 'drill_r1_restore_drill'), 'select count(*)::int from kept'),
    ).toEqual([{ count: 0 }])
    await query(database.url, 'drop database drill_r1_restore_drill')
    await query(database.url, 'create role reader login')
    const reader = { ...envs.r1, RELAY_DATABASE_URL: urls.r1.replace('keybay@', 'reader@') }
    expect((await drill('r1', backup, reader)).at(-1)).toMatchObject({
      detail: 'The role reader may not create a database.',
      remedy: 'Allow it: alter role "reader" createdb',
    })
    await expect(drillRestore(new Map(), backup)).rejects.toThrow(/^Name one service/)
  }, 60_000)
})

function operate(action: 'block', { userId }: Pick<User, 'userId'>) {
  const token = world.api.api.operatorToken
  return world.api.kit().call(`/users/${userId}/${action}`, { method: 'POST', token, proof: false })
}

it('the API reports sessions, users and credentials that would come back, and its remedy for sessions ends them', async () => {
  const [leaving, blocked] = [await world.user(), await world.user()]
  await world.enrol(leaving)
  const backup = dump(urls.api, join(folder, 'api-before.dump'))
  const before = readTexts(await drill('api', backup))
  expect(before).toMatchObject({ secrets: expect.stringMatching(/^[1-9]\d* sealed values? opened\.$/) })
  expect(before.sessions).toBe('No session ended since the backup would be valid again.')
  expect((await leaving.kit.call('/auth/sign-out', { method: 'POST' })).status).toBeLessThan(300)
  await operate('block', blocked)
  const newcomer = await world.user()
  const content = getContent(urls.api)
  const results = await drill('api', backup)
  expect(getContent(urls.api)).toBe(content)
  expect(results.filter(result => !result.ok)).toEqual([])
  const texts = readTexts(results)
  expect(texts).toMatchObject({
    sessions: expect.stringMatching(
      /^2 sessions ended since the backup would be valid again: .* → Sign every user out/,
    ),
    users: `1 user blocked or deleted since the backup would be valid again: local ${blocked.userId}. → After a restore, block or erase each again: "npm run user -w sandbox/api -- block <environment> <user>".`,
    credentials: 'No credential removed or given to another user since the backup would be valid again.',
    'API tokens': 'No API token revoked since the backup would be valid again.',
    newer: expect.stringContaining(`1 user made since the backup would be lost: local ${newcomer.userId}.`),
  })
  const [, statement = ''] = /"(update sessions .*)"/.exec(texts.sessions ?? '') ?? []
  const url = restore(database.create('restored_api'), backup)
  await query(url, statement)
  expect(await query(url, 'select 1 from sessions where revoked_at is null')).toEqual([])
}, 60_000)
