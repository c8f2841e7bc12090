/** Finds a user among many: 70,000 real sub-organizations on one real PostgreSQL. */
import { type Postgres, startPostgres } from '@keybay/sandbox-service/testing/postgres'
import { generateP256KeyPair } from '@turnkey/crypto'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newEnclaveKey } from './keys.js'
import { startWorld, type User, type World } from './world.js'

/** More than the 65,534 parameters that a statement can have. */
const MANY = 70_000

describe('finding 12: who-am-I by the parent’s ID', () => {
  const statements: string[] = []
  let database: Postgres
  let outside: postgres.Sql
  let world: World
  let user: User
  beforeAll(async () => {
    database = await startPostgres()
    const keys = { kek: Buffer.alloc(32, 7).toString('base64url'), enclaveKey: newEnclaveKey() }
    world = await startWorld({ databaseUrl: database.url, ...keys, onQuery: text => statements.push(text) })
    user = await world.user()
    outside = postgres(database.url, { max: 1 })
    const { organizationId } = world.custody
    await outside`
      insert into organizations (id, parent_id, name, root_user_ids, root_threshold, email_recovery, audit_sequence, audit_hash, created_at)
      select 'org-' || n, ${organizationId}, 'User ' || n, '[]', 1, true, 0, '', 0 from generate_series(1, ${MANY}) n`
    await outside`
      insert into users (id, organization_id, name, created_at, updated_at)
      select 'user-' || n, 'org-' || n, 'User ' || n, 0, 0 from generate_series(1, ${MANY}) n`
    await outside`
      insert into api_keys (id, organization_id, user_id, name, public_key, type, created_at)
      select 'key-' || n, 'org-' || n, 'user-' || n, 'Key', lpad(to_hex(n), 66, '0'), 'CREDENTIAL_TYPE_API_KEY_P256', 0
      from generate_series(1, ${MANY}) n`
    await outside`
      insert into authenticators (id, organization_id, user_id, name, credential_id, public_key, rp_id, counter, transports,
        attestation_type, aaguid, created_at)
      select 'passkey-' || n, 'org-' || n, 'user-' || n, 'Passkey', 'credential-' || n, '', 'app.localhost', 0, '[]', 'none', '', 0
      from generate_series(1, ${MANY}) n`
    await outside`insert into rate_limits select 'limit-' || n, 1, 0 from generate_series(1, ${MANY}) n`
    await outside`analyze`
  }, 300_000)
  afterAll(async () => {
    await outside?.end()
    await world?.stop()
    database?.stop()
  })

  it('finds a user by a key and by a passkey, with as many statements as by the user’s own organization', async () => {
    const { organizationId } = world.custody
    for (const client of [world.clientOf(await world.session(user)), user.client]) {
      const count = async (named: string) => {
        statements.length = 0
        expect(await client.getWhoami({ organizationId: named })).toMatchObject({ userId: user.userId })
        return statements.length
      }
      expect(await count(organizationId)).toBe(await count(user.organizationId))
    }
  })

  /** Returns the plan that PostgreSQL makes without knowing the parameters. */
  const explain = async (text: string) => {
    const parameters = new Set(text.match(/\$\d+/g)).size
    const execute = parameters === 0 ? 'asked' : `asked (${Array(parameters).fill('null').join()})`
    await outside.unsafe('set plan_cache_mode = force_generic_plan')
    await outside.unsafe(`prepare asked as ${text}`)
    const rows = await outside.unsafe(`explain execute ${execute}`)
    await outside.unsafe('deallocate asked')
    return rows.map(row => row['QUERY PLAN']).join('\n')
  }

  it('reads no table as a whole', async () => {
    const { organizationId } = world.custody
    for (const client of [world.clientOf(await world.session(user)), user.client]) {
      statements.length = 0
      await client.getWhoami({ organizationId })
      for (const text of statements) {
        expect(await explain(text), text).not.toContain('Seq Scan')
      }
    }
  })

  it('an anonymous key costs a bounded number of statements and is refused', async () => {
    const { organizationId } = world.custody
    statements.length = 0
    await expect(world.clientOf(generateP256KeyPair()).getWhoami({ organizationId })).rejects.toMatchObject({
      code: 16,
    })
    expect(statements.length).toBeLessThanOrEqual(1)
  })
})
