/** Checks of a restored copy of the API's database. Nothing here writes. */
import { createEnvelope } from '@keybay/sandbox-service/envelope'
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
import { eq, isNotNull, sql } from 'drizzle-orm'
import {
  apiTokens,
  credentials,
  facts,
  mfaDevices,
  recoveryCodes,
  sessions,
  socialTokens,
  sponsors,
  users,
} from './db/schema.js'
import { getFactorContext } from './mfa/factors.js'
import type { Keys } from './security/keys.js'
import { HASH_KEY } from './security/sealing.js'
import { getTokensContext } from './social/tokens.js'
import { getSponsorContext } from './solana/sponsor.js'

async function readSealed(db: ReadDatabase, keys: Keys): Promise<readonly Sealed[]> {
  const envelope = createEnvelope(keys.keks)
  const inSample = sql`random()`
  const factors = await db
    .select({ id: mfaDevices.id, sealed: mfaDevices.sealed })
    .from(mfaDevices)
    .where(isNotNull(mfaDevices.sealed))
    .orderBy(inSample)
    .limit(SAMPLE)
  const tokens = await db.select().from(socialTokens).orderBy(inSample).limit(SAMPLE)
  const payers = await db.select().from(sponsors)
  const hashKeys = await db.select().from(facts).where(eq(facts.name, HASH_KEY))
  return [
    ...hashKeys.map(({ value }) => ({
      id: 'the key of the hashes',
      open: () => envelope.open(value, HASH_KEY).fill(0),
    })),
    ...factors.map(({ id, sealed }) => ({
      id: `factor ${id}`,
      open: () => envelope.open(sealed ?? '', getFactorContext(id)).fill(0),
    })),
    ...tokens.map(({ credentialId, sealed }) => ({
      id: `tokens of credential ${credentialId}`,
      open: () => envelope.open(sealed, getTokensContext(credentialId)).fill(0),
    })),
    ...payers.map(({ environmentId, sealed }) => ({
      id: `sponsor of ${environmentId}`,
      open: () => envelope.open(sealed, getSponsorContext(environmentId)).fill(0),
    })),
  ]
}

export function listCopyChecks(keys: Keys, databases: Databases): readonly CopyCheck[] {
  const now = Date.now()
  return [
    checkSealed(['sealed value', 'sealed values'], () => readSealed(databases.copy, keys)),
    checkRevocable(databases, {
      name: 'sessions',
      what: ['session', 'sessions'],
      ended: 'ended',
      valid: sql`select ${sessions.id} as id, '' as state, '' as scope from ${sessions}
        where ${sessions.revokedAt} is null and ${sessions.expiresAt} > ${now}`,
      remedy:
        'Sign every user out after a restore, before the API starts: "update sessions set revoked_at = created_at where revoked_at is null" in its database.',
    }),
    checkRevocable(databases, {
      name: 'users',
      what: ['user', 'users'],
      ended: 'blocked or deleted',
      valid: sql`select ${users.id} as id, '' as state, ${users.environmentId} as scope from ${users}
        where ${users.blockedAt} is null and ${users.deletesAt} is null`,
      remedy:
        'After a restore, block or erase each again: "npm run user -w sandbox/api -- block <environment> <user>".',
    }),
    checkRevocable(databases, {
      name: 'credentials',
      what: ['credential', 'credentials'],
      ended: 'removed or given to another user',
      valid: sql`select ${credentials.id} as id, ${credentials.userId} as state, ${credentials.environmentId} as scope
        from ${credentials}`,
      remedy: 'After a restore, delete these rows of the table credentials, before the API starts.',
    }),
    checkRevocable(databases, {
      name: 'factors',
      what: ['second factor', 'second factors'],
      ended: 'removed',
      valid: sql`select ${mfaDevices.id} as id, '' as state, '' as scope from ${mfaDevices}`,
      remedy: 'After a restore, delete these rows of the table mfa_devices, before the API starts.',
    }),
    checkRevocable(databases, {
      name: 'recovery codes',
      what: ['recovery code', 'recovery codes'],
      ended: 'used or replaced',
      valid: sql`select ${recoveryCodes.hash} as id, '' as state, ${recoveryCodes.userId} as scope from ${recoveryCodes}
        where ${recoveryCodes.usedAt} is null`,
      remedy:
        'After a restore, delete these rows of the table recovery_codes (user_id and hash), before the API starts.',
    }),
    checkRevocable(databases, {
      name: 'API tokens',
      what: ['API token', 'API tokens'],
      ended: 'revoked',
      valid: sql`select ${apiTokens.id} as id, '' as state, ${apiTokens.environmentId} as scope from ${apiTokens}
        where ${apiTokens.expiresAt} > ${now}`,
      remedy: 'After a restore, delete these rows of the table api_tokens, before the API starts.',
    }),
    checkCreated(databases, {
      what: ['user', 'users'],
      all: sql`select ${users.id} as id, '' as state, ${users.environmentId} as scope from ${users}`,
      remedy: 'Back up more often, or run a synchronous standby: these users would sign in as new ones.',
    }),
  ]
}
