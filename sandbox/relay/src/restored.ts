/** Checks of a restored copy of a relay's database. They write nothing, here or at the other relay. */
import { createEnvelope } from '@keybay/sandbox-service/envelope'
import {
  type CopyCheck,
  type CopyResult,
  checkRevocable,
  checkSealed,
  count,
  type Databases,
  findOnlyIn,
  listRows,
  type ReadDatabase,
  SAMPLE,
  type ValidRow,
} from '@keybay/sandbox-service/restored'
import { afterComparison, checkShare, compareHistories, eraseShare } from '@keybay/waas/mpc'
import { eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { comparison, HEADS_PER_PAGE } from './ceremonies/peer-log.js'
import { facts, shareSets } from './db/schema.js'
import type { RelayOptions } from './index.js'
import { findAllKeys } from './party.js'
import { createPeer, type Peer } from './peer.js'
import type { RelayParty } from './services.js'
import { findHash, getHead, readHeads } from './store/records.js'
import { openShare } from './store/shares.js'

/** Wallets that a relay with this copy would not serve as they are there. */
interface Compared {
  /** Newest generation of the other relay, which has records that this relay takes before it signs. */
  readonly behind: ReadonlyMap<string, number>
  /** The relays have different histories. */
  readonly forked: ReadonlySet<string>
}

/** Compares the copy with the other relay, as a relay does at its start. */
async function compareCopy(copy: ReadDatabase, peer: Peer, party: RelayParty): Promise<Compared> {
  const behind = new Map<string, number>()
  const forked = new Set<string>()
  for (let after = ''; ; ) {
    const heads = await readHeads(copy, { after, limit: HEADS_PER_PAGE })
    const until = heads.length === HEADS_PER_PAGE ? heads.at(-1)?.walletId : undefined
    const answer = await peer.compare('/peer/compare', { after, until, heads }, comparison.answer)
    for (const { walletId, peer: side } of answer.different) {
      const head = heads.find(each => each.walletId === walletId)
      const ownSide = head && { ...head, at: side && (await findHash(copy, walletId, side.generation)) }
      const consequence = afterComparison(party, compareHistories(ownSide, side))
      if (consequence === 'repair' && side) behind.set(walletId, side.generation)
      if (consequence === 'quarantine') forked.add(walletId)
    }
    if (answer.until === undefined) return { behind, forked }
    after = answer.until
  }
}

function openPeer(copy: ReadDatabase, options: RelayOptions, party: RelayParty): Peer {
  return createPeer({
    party,
    url: options.peerUrl,
    pinned: options.peerKeys,
    keep: async text => {
      const [kept] = await copy.select().from(facts).where(eq(facts.name, 'peer'))
      return kept?.value ?? text
    },
    keys: findAllKeys({ ...options, dataDir: undefined }, party).keys().value,
    clock: { now: Date.now },
    measure: () => undefined,
  })
}

function selectSets(state: SQL): SQL {
  return sql`select ${shareSets.id} as id, ${state} as state, ${shareSets.walletId} as scope from ${shareSets}`
}

const REVOCATIONS: readonly { readonly what: readonly [string, string]; readonly valid: SQL }[] = [
  { what: ['revoked set', 'revoked sets'], valid: sql`${selectSets(sql`''`)} where ${shareSets.status} = 'active'` },
  {
    what: ['set with a new device key or new shares', 'sets with a new device key or new shares'],
    valid: selectSets(sql`${shareSets.epoch} || ' ' || ${shareSets.thumbprint}`),
  },
  {
    what: ['set with another policy', 'sets with another policy'],
    valid: selectSets(sql`coalesce(${shareSets.policy}::text, '')`),
  },
]

async function findRevocations({ copy, live }: Databases) {
  return Promise.all(REVOCATIONS.map(async ({ what, valid }) => ({ what, rows: await findOnlyIn(copy, live, valid) })))
}

function describeRows(
  found: readonly { readonly what: readonly [string, string]; readonly rows: readonly ValidRow[] }[],
) {
  return found.flatMap(({ what, rows }) => (rows.length === 0 ? [] : [count(rows.length, what)])).join(', ')
}

/** Returns the wallets of which the other relay has every record that the live database has. */
async function findKnown(live: ReadDatabase, behind: Compared['behind']): Promise<ReadonlySet<string>> {
  const known = new Set<string>()
  for (const [walletId, generation] of behind) {
    const head = await getHead(live, walletId)
    if (head === undefined || head.generation <= generation) known.add(walletId)
  }
  return known
}

/** Proves that what was revoked or replaced since the backup stays so. */
async function runRevocations(databases: Databases, peer: Peer, party: RelayParty): Promise<CopyResult> {
  const revocations = await findRevocations(databases)
  const { behind, forked } = peer.exists
    ? await compareCopy(databases.copy, peer, party)
    : { behind: new Map<string, number>(), forked: new Set<string>() }
  const known = await findKnown(databases.live, behind)
  const isStopped = ({ scope }: ValidRow) => known.has(scope) || forked.has(scope)
  const revived = revocations.map(({ what, rows }) => ({ what, rows: rows.filter(each => !isStopped(each)) }))
  const rows = revived.flatMap(each => each.rows)
  if (rows.length > 0) {
    const detail = `What changed since the backup would be as before: ${describeRows(revived)} (wallet and set: ${listRows(rows)}).`
    const remedy = peer.exists
      ? 'The other relay lacks these records. Let both relays run until it has them, and run this again.'
      : 'A single relay has nothing else to learn this from. Revoke these sets again after a restore, or run the second relay.'
    return { ok: false, detail, remedy }
  }
  if (forked.size > 0) {
    const detail = `The relays have different histories of ${count(forked.size, ['wallet', 'wallets'])}: ${[...forked].join(', ')}.`
    return { ok: false, detail, remedy: 'Follow “Two histories” in the README of the relay.' }
  }
  const changed = describeRows(revocations)
  if (changed === '')
    return { ok: true, detail: 'No set was revoked or replaced, and no policy changed, since the backup.' }
  return { ok: true, detail: `A relay takes these from the other relay before it signs: ${changed}.` }
}

function checkLostShares({ copy, live }: Databases): CopyCheck {
  return {
    name: 'shares',
    remedy: 'Let this role read every table of both databases, and run this again.',
    async run() {
      const valid = sql`${selectSets(sql`${shareSets.epoch}::text`)} where ${shareSets.share} is not null`
      const rows = await findOnlyIn(live, copy, valid)
      if (rows.length === 0) return { ok: true, detail: 'Every share of the live database is in the backup.' }
      return {
        ok: true,
        detail: `${count(rows.length, ['share', 'shares'])} made since the backup would be lost (wallet and set: ${listRows(rows)}).`,
        remedy:
          'Back up more often, and run a synchronous standby: a lost share is 409 share_lost, or its wallet is missing here.',
      }
    },
  }
}

/** Lists the checks of a copy. Keys that are missing or wrong are the matter of another check. */
export function listCopyChecks(options: RelayOptions, party: RelayParty, databases: Databases): readonly CopyCheck[] {
  const { copy } = databases
  return [
    checkSealed(['share', 'shares'], async () => {
      const envelope = createEnvelope(findAllKeys({ ...options, dataDir: undefined }, party).kek().value)
      const rows = await copy
        .select()
        .from(shareSets)
        .where(isNotNull(shareSets.share))
        .orderBy(sql`random()`)
        .limit(SAMPLE)
      return rows.map(each => ({
        id: each.id,
        open() {
          const share = openShare(envelope, each)
          if (!share) return
          // A share that does not fit its public set would sign nothing.
          checkShare(share)
          eraseShare(share)
        },
      }))
    }),
    {
      name: 'revocations',
      remedy:
        'Start the other relay and let this machine reach it (RELAY_PEER_URL): a restored relay signs nothing before it has answered.',
      run: () => runRevocations(databases, openPeer(copy, options, party), party),
    },
    checkRevocable(databases, {
      name: 'blocks',
      what: ['set', 'sets'],
      ended: 'blocked, frozen or locked',
      valid: sql`${selectSets(sql`''`)} where ${shareSets.blockedAt} is null and ${shareSets.frozenAt} is null and ${shareSets.lockedAt} is null`,
      remedy:
        'After a restore, block the users of these wallets again: "npm run user -w sandbox/api -- block <environment> <user>".',
    }),
    checkLostShares(databases),
  ]
}
