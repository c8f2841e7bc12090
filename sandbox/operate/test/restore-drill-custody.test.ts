/** Tests `restore-drill` of custody on a real PostgreSQL. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startWorld, type User, type World } from '@keybay/sandbox-custody/testing/world'
import { useServer } from '@keybay/sandbox-service/server'
import { type Postgres, startPostgres } from '@keybay/sandbox-service/testing/postgres'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeKeys } from '../src/keygen.js'
import { drillRestore } from '../src/restore-drill/index.js'
import { dump, query, readTexts } from './backups.js'

const folder = temporaryFolder()
const files = { kek: join(folder, 'custody', 'kek'), enclave: join(folder, 'custody', 'enclave.pem') }
let database: Postgres
let url: string
let custody: World

beforeAll(async () => {
  database = await startPostgres()
  url = database.create('custody')
  await makeKeys({ folder, services: ['custody'] })
  const [kek, enclaveKey] = [readFileSync(files.kek, 'utf8'), readFileSync(files.enclave, 'utf8')]
  custody = await startWorld({ databaseUrl: url, kek, enclaveKey })
}, 120_000)
afterAll(async () => {
  await custody?.stop()
  database?.stop()
})

function drill(backup: string) {
  const env = { CUSTODY_DATABASE_URL: url, CUSTODY_KEK_FILE: files.kek, CUSTODY_ENCLAVE_KEY_FILE: files.enclave }
  return drillRestore(new Map([['custody', env]]), backup)
}

it('custody reports organizations and keys that would come back, and fails when a secret does not open', async () => {
  const users: readonly User[] = [await custody.user(), await custody.user()]
  const [first = '', second = ''] = users.map(({ organizationId }) => organizationId)
  const backup = dump(url, join(folder, 'custody.dump'))
  await query(url, `update organizations set blocked_at = 1 where id = '${first}'`)
  await query(url, `delete from authenticators where organization_id = '${second}'`)
  const results = await drill(backup)
  expect(results.filter(result => !result.ok)).toEqual([])
  expect(readTexts(results)).toMatchObject({
    secrets: '6 secrets opened.',
    organizations: expect.stringContaining(
      `1 organization blocked or erased since the backup would be valid again: ${first}.`,
    ),
    passkeys: expect.stringContaining(`1 passkey deleted since the backup would be valid again: ${second} `),
    newer: 'No wallet was made since the backup.',
  })
  const [wallet] = await query(url, `select id from wallets where organization_id = '${first}'`)
  await query(
    url,
    `update wallets set sealed_mnemonic = (select sealed_mnemonic from wallets where organization_id = '${second}')
      where organization_id = '${first}'`,
  )
  const damaged = await drill(dump(url, join(folder, 'damaged.dump')))
  expect(readTexts(damaged.filter(result => !result.ok))).toEqual({
    secrets: expect.stringContaining(`FAIL 1 of 6 secrets cannot be opened: mnemonic ${wallet?.id}. → Use the keys`),
  })
}, 60_000)

it('gives PostgreSQL’s programs the servers, role and password of the address, and the copy the same parameters', async () => {
  const url = 'postgres://role:p%40ss@one:5432,two:5433/real?sslmode=require&target_session_attrs=read-write'
  const seen = await useServer(url, async ({ name, env, getUrl }) => ({ name, env, url: getUrl('copy') }))
  expect(seen).toEqual({
    name: 'real',
    env: {
      PGHOST: 'one,two',
      PGPORT: '5432,5433',
      PGUSER: 'role',
      PGPASSWORD: 'p@ss',
      PGSSLMODE: 'require',
      PGTARGETSESSIONATTRS: 'read-write',
    },
    url: 'postgres://role:p%40ss@one:5432,two:5433/copy?sslmode=require&target_session_attrs=read-write',
  })
})
