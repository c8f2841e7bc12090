/** Reads all that decides an activity, and the key that it names, in one statement: hence from one moment. */
import { buildOnce } from '@keybay/sandbox-service/database'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { Database } from '../db/open.js'
import { organizations, policies, privateKeys, users, votes, walletAccounts, wallets } from '../db/schema.js'
import { CustodyError, permissionDenied } from '../http/errors.js'
import { CURVES } from '../keys/derive.js'
import type { Services } from '../services.js'
import type { Actor } from '../stamps/authenticate.js'
import type { Signer, Stamp } from './kind.js'
import { context } from './wallets.js'

const rulesSchema = v.array(
  v.object({ effect: v.picklist(['EFFECT_ALLOW', 'EFFECT_DENY']), condition: v.string(), consensus: v.string() }),
)
const named = v.object({ id: v.string(), label: v.string() })
const keysSchema = v.array(
  v.object({
    ...{ id: v.string(), curve: v.picklist(CURVES), publicKey: v.string(), sealedKey: v.string() },
    subject: v.object({
      wallet: v.optional(named),
      wallet_account: v.optional(v.object({ address: v.string(), path: v.string() })),
      private_key: v.optional(named),
    }),
  }),
)
type KeyRow = v.InferOutput<typeof keysSchema>[number]

const at = sql.placeholder

function privateKey(condition: SQL): SQL {
  const { id, name, curve, publicKey, sealedKey } = privateKeys
  return sql`(select jsonb_build_array(jsonb_build_object('id', ${id}, 'curve', ${curve}, 'publicKey', ${publicKey},
      'sealedKey', ${sealedKey}, 'subject', jsonb_build_object('private_key', jsonb_build_object('id', ${id}, 'label', ${name}))))
    from ${privateKeys} where ${privateKeys.organizationId} = ${at('organizationId')} and ${condition} limit 1)`
}

/** An account by its address, else a private key by its ID or address: PostgreSQL looks no further than it must. */
function selectKey(): SQL {
  const { id, address, path, curve, publicKey, sealedKey, organizationId, walletId } = walletAccounts
  const account = sql`(select jsonb_build_array(jsonb_build_object('id', ${id}, 'curve', ${curve}, 'publicKey', ${publicKey},
      'sealedKey', ${sealedKey}, 'subject', jsonb_build_object(
        'wallet', jsonb_build_object('id', ${wallets.id}, 'label', ${wallets.name}),
        'wallet_account', jsonb_build_object('address', ${address}, 'path', ${path}))))
    from ${walletAccounts} join ${wallets} on ${wallets.id} = ${walletId}
    where ${organizationId} = ${at('organizationId')} and ${address} = ${at('keyName')} limit 1)`
  const byAddress = sql`${privateKeys.addresses} @> jsonb_build_array(jsonb_build_object('address', ${at('keyName')}::text))`
  return sql`coalesce(${account}, ${privateKey(sql`${privateKeys.id} = ${at('keyName')}`)}, ${privateKey(byAddress)}, '[]')`
}

/** Columns of a statement with {@link organizations} and the placeholders `organizationId` and `keyName`. */
export function factColumns() {
  const { rootUserIds, rootThreshold } = organizations
  const { effect, condition, consensus } = policies
  const rules = sql`(select coalesce(jsonb_agg(
      jsonb_build_object('effect', ${effect}, 'condition', ${condition}, 'consensus', ${consensus})), '[]')
    from ${policies} where ${policies.organizationId} = ${at('organizationId')})`
  return {
    organization: { rootUserIds, rootThreshold },
    rules: rules.mapWith(value => v.parse(rulesSchema, value)),
    keys: selectKey().mapWith(value => v.parse(keysSchema, value)),
  }
}

const getStatement = buildOnce((db: Database) => {
  const approved = and(eq(votes.activityId, at('activityId')), eq(votes.selection, 'VOTE_SELECTION_APPROVED'))
  return db
    .select({ vote: votes, user: users, ...factColumns() })
    .from(organizations)
    .leftJoin(votes, approved)
    .leftJoin(users, eq(users.id, votes.userId))
    .where(eq(organizations.id, at('organizationId')))
    .prepare('facts')
})

function signerOf({ envelope }: Services, { id, sealedKey, ...key }: KeyRow): Signer {
  return {
    ...key,
    async withKey(use) {
      const bytes = await envelope.open(sealedKey, context(key.subject.private_key ? 'key' : 'account', id))
      try {
        return use(bytes)
      } finally {
        bytes.fill(0)
      }
    },
  }
}

export interface DecidingFacts {
  readonly organization: Pick<typeof organizations.$inferSelect, 'rootUserIds' | 'rootThreshold'>
  readonly rules: v.InferOutput<typeof rulesSchema>
  readonly approvals: readonly {
    readonly vote: Stamp & Pick<Actor, 'publicKey' | 'scheme'>
    readonly user: Pick<typeof users.$inferSelect, 'id' | 'email'>
  }[]
  /** The key that the activity names. */
  readonly signer: Signer | undefined
}

/** Values of {@link factColumns}. */
type FactRow = Pick<DecidingFacts, 'organization' | 'rules'> & { readonly keys: readonly KeyRow[] }

export function factsOf(
  services: Services,
  { organization, rules, keys: [key] }: FactRow,
  approvals: DecidingFacts['approvals'],
): DecidingFacts {
  return { organization, rules, approvals, signer: key && signerOf(services, key) }
}

interface Place {
  readonly activityId: string
  readonly organizationId: string
  /** Address or ID of the key that the activity names. */
  readonly keyName: string | undefined
}

/** @throws CustodyError `PERMISSION_DENIED` for an organization that does not exist */
export async function readFacts(
  db: Database,
  services: Services,
  { keyName, ...place }: Place,
): Promise<DecidingFacts> {
  const rows = await getStatement(db).execute({ ...place, keyName: keyName ?? null })
  const [first] = rows
  if (!first) throw new CustodyError(permissionDenied)
  const approvals = rows.flatMap(({ vote, user }) => (vote && user ? [{ vote, user }] : []))
  return factsOf(services, first, approvals)
}
