/** Fills a service's tables with copies of rows that the service made itself. */

/**
 * @typedef {object} Copied
 * @property {string} table
 * @property {string} where The rows to copy.
 * @property {readonly string[]} vary Columns that get another value in each copy: IDs and what must be unique.
 */

const API_USER = '(select id from users order by id limit 1)'
const CUSTODY_ORGANIZATION = '(select id from organizations where parent_id is not null order by id limit 1)'
const RELAY_WALLET = '(select id from wallets order by id limit 1)'
const RELAY_SETS = `(select id from share_sets where wallet_id = ${RELAY_WALLET})`

/**
 * A user of the API with a session, a credential, a wallet and an event of the security log; a sub-organization with
 * its user, key, wallet and first activity; a relay's wallet with its set of shares and the audit record.
 * @type {Readonly<Record<'api' | 'custody' | 'relay', readonly Copied[]>>}
 */
export const COPIED = {
  api: [
    { table: 'users', where: `id = ${API_USER}`, vary: ['id', 'passkey_handle'] },
    { table: 'credentials', where: `user_id = ${API_USER} limit 1`, vary: ['id', 'user_id', 'subject'] },
    {
      table: 'sessions',
      where: `user_id = ${API_USER} limit 1`,
      vary: ['id', 'user_id', 'credential_id', 'thumbprint'],
    },
    { table: 'security_events', where: `user_id = ${API_USER} limit 1`, vary: ['id', 'user_id'] },
    {
      table: 'embedded_wallets',
      where: `user_id = ${API_USER} limit 1`,
      vary: ['id', 'user_id', 'wallet_id', 'set_id', 'address'],
    },
  ],
  custody: [
    { table: 'organizations', where: `id = ${CUSTODY_ORGANIZATION}`, vary: ['id', 'name'] },
    { table: 'users', where: `organization_id = ${CUSTODY_ORGANIZATION}`, vary: ['id', 'organization_id'] },
    {
      table: 'api_keys',
      where: `organization_id = ${CUSTODY_ORGANIZATION}`,
      vary: ['id', 'organization_id', 'user_id', 'public_key'],
    },
    { table: 'wallets', where: `organization_id = ${CUSTODY_ORGANIZATION}`, vary: ['id', 'organization_id'] },
    {
      table: 'wallet_accounts',
      where: `organization_id = ${CUSTODY_ORGANIZATION}`,
      vary: ['id', 'organization_id', 'wallet_id', 'address'],
    },
    {
      table: 'activities',
      where: `organization_id = ${CUSTODY_ORGANIZATION} order by created_at limit 1`,
      vary: ['id', 'organization_id', 'fingerprint', 'user_id'],
    },
    {
      table: 'fingerprints',
      where: `organization_id = ${CUSTODY_ORGANIZATION} order by created_at limit 1`,
      vary: ['organization_id', 'fingerprint', 'activity_id'],
    },
    { table: 'audit', where: `organization_id = ${CUSTODY_ORGANIZATION} limit 1`, vary: ['organization_id'] },
  ],
  relay: [
    { table: 'wallets', where: `id = ${RELAY_WALLET}`, vary: ['id', 'user_id', 'address'] },
    {
      table: 'share_sets',
      where: `wallet_id = ${RELAY_WALLET}`,
      vary: ['id', 'wallet_id', 'user_id', 'address', 'thumbprint'],
    },
    { table: 'audit', where: `set_id in ${RELAY_SETS} order by sequence limit 1`, vary: ['set_id'] },
  ],
}

/** The bench's users have no wallet at a relay, so the API knows none. */
export const API_WALLET = `insert into embedded_wallets (id, environment_id, user_id, wallet_id, set_id, chain, address, status,
  epoch, recorded_at, created_at)
  select 'wallet', environment_id, id, 'wallet', 'set', 'SOL', 'address', 'active', 0, created_at, created_at
  from users where id = ${API_USER}`

/** Copies of one statement: it ends long before the time-out of the program that runs it. */
const AT_ONCE = 100_000

/**
 * @param {(statement: string) => Promise<string>} ask
 * @param {readonly Copied[]} tables
 * @param {number} count copies of each row
 * @throws Error for a table that has fewer rows then
 */
export async function fill(ask, tables, count) {
  for (const { table, where, vary } of tables) {
    const changes = vary.map(column => `'${column}', r.${column} || '~' || n`).join(', ')
    for (let first = 1; first <= count; first += AT_ONCE) {
      const last = Math.min(count, first + AT_ONCE - 1)
      // Foreign keys hold by construction, and checking them would take longer than all the rest.
      await ask(`set session_replication_role = replica;
        insert into ${table} overriding user value
        select copy.* from (select * from ${table} where ${where}) r, generate_series(${first}, ${last}) n,
          lateral jsonb_populate_record(null::${table}, to_jsonb(r) || jsonb_build_object(${changes})) copy`)
    }
    const rows = Number(await ask(`select count(*) from ${table}`))
    if (rows <= count) throw new Error(`The table ${table} has only ${rows} rows.`)
  }
  await ask('vacuum analyze')
  await ask('checkpoint')
}
