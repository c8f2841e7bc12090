/** Checks of a restored copy of custody's database. Nothing here writes. */
import type { SecretEnvelope } from '@keybay/sandbox-service/envelope'
import {
  type CopyCheck,
  checkCreated,
  checkRevocable,
  checkSealed,
  type Databases,
  type ReadDatabase,
  SAMPLE,
  type Sealed,
} from '@keybay/sandbox-service/restored'
import { sql } from 'drizzle-orm'
import { context } from './activities/wallets.js'
import {
  apiKeys,
  authenticators,
  importKeys,
  organizations,
  policies,
  privateKeys,
  walletAccounts,
  wallets,
} from './db/schema.js'

const SECRETS = [
  { what: 'mnemonic', table: wallets, sealed: wallets.sealedMnemonic },
  { what: 'account', table: walletAccounts, sealed: walletAccounts.sealedKey },
  { what: 'key', table: privateKeys, sealed: privateKeys.sealedKey },
  { what: 'import key', table: importKeys, sealed: importKeys.sealedKey },
] as const

async function readSealed(db: ReadDatabase, envelope: SecretEnvelope): Promise<readonly Sealed[]> {
  const secrets: Sealed[] = []
  for (const { what, table, sealed } of SECRETS) {
    const rows = await db.select({ id: table.id, sealed }).from(table).orderBy(sql`random()`).limit(SAMPLE)
    for (const { id, sealed } of rows)
      secrets.push({ id: `${what} ${id}`, open: async () => (await envelope.open(sealed, context(what, id))).fill(0) })
  }
  return secrets
}

export function listCopyChecks(envelope: SecretEnvelope, databases: Databases): readonly CopyCheck[] {
  const now = Date.now()
  return [
    checkSealed(['secret', 'secrets'], () => readSealed(databases.copy, envelope)),
    checkRevocable(databases, {
      name: 'organizations',
      what: ['organization', 'organizations'],
      ended: 'blocked or erased',
      valid: sql`select ${organizations.id} as id, '' as state, '' as scope from ${organizations}
        where ${organizations.blockedAt} is null and ${organizations.erasedAt} is null`,
      remedy:
        'After a restore, block or erase their users again: "npm run user -w sandbox/api -- block <environment> <user>".',
    }),
    checkRevocable(databases, {
      name: 'API keys',
      what: ['API key', 'API keys'],
      ended: 'deleted or used up',
      valid: sql`select ${apiKeys.id} as id, ${apiKeys.publicKey} as state, ${apiKeys.organizationId} as scope
        from ${apiKeys}
        where ${apiKeys.usedAt} is null and (${apiKeys.expiresAt} is null or ${apiKeys.expiresAt} > ${now})`,
      remedy:
        'After a restore, delete these rows of the table api_keys (organization_id and id), before custody starts.',
    }),
    checkRevocable(databases, {
      name: 'passkeys',
      what: ['passkey', 'passkeys'],
      ended: 'deleted',
      valid: sql`select ${authenticators.id} as id, '' as state, ${authenticators.organizationId} as scope
        from ${authenticators}`,
      remedy:
        'After a restore, delete these rows of the table authenticators (organization_id and id), before custody starts.',
    }),
    checkRevocable(databases, {
      name: 'policies',
      what: ['policy', 'policies'],
      ended: 'deleted or changed',
      valid: sql`select ${policies.id} as id, ${policies.effect} || ${policies.condition} || ${policies.consensus} as state,
        ${policies.organizationId} as scope from ${policies}`,
      remedy: 'After a restore, tell the owners of these organizations to check their policies.',
    }),
    checkRevocable(databases, {
      name: 'quorums',
      what: ['organization with a root quorum', 'organizations with a root quorum'],
      ended: 'changed',
      valid: sql`select ${organizations.id} as id, '' as scope,
        ${organizations.rootUserIds}::text || ${organizations.rootThreshold}::text as state
        from ${organizations} where ${organizations.erasedAt} is null`,
      remedy: 'After a restore, tell the owners of these organizations to set their root quorum again.',
    }),
    checkCreated(databases, {
      what: ['wallet', 'wallets'],
      all: sql`select ${wallets.id} as id, '' as state, ${wallets.organizationId} as scope from ${wallets}`,
      remedy: 'Back up more often, or run a synchronous standby: without the database their keys are lost.',
    }),
  ]
}
