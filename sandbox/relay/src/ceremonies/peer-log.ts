/** Answers to the other relay's questions about the log of records. */
import { and, asc, eq, gte } from 'drizzle-orm'
import * as v from 'valibot'
import { records } from '../db/schema.js'
import { uuid } from '../http/fields.js'
import type { Services } from '../services.js'
import { findHash, readHeads } from '../store/records.js'

/** Number of wallets per comparison: within the limit of a body. */
export const HEADS_PER_PAGE = 500
const MAX_ENTRIES = 50

const generation = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const limit = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_ENTRIES))
const hash = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))
const after = v.union([v.literal(''), uuid])
const head = v.strictObject({ walletId: uuid, generation, hash })
const side = v.object({ generation, hash, at: v.optional(hash) })

/** The heads of all wallets in the range (`after`, `until`]; without `until` to the end. */
export const comparison = {
  question: v.strictObject({
    after,
    until: v.optional(uuid),
    heads: v.pipe(v.array(head), v.maxLength(HEADS_PER_PAGE)),
  }),
  answer: v.object({
    /** Last wallet of the range that was compared; absent at the end. */
    until: v.optional(uuid),
    different: v.array(v.object({ walletId: uuid, peer: v.optional(side) })),
  }),
}
type Answer = v.InferOutput<typeof comparison.answer>
export type Difference = Answer['different'][number]

/** Compares the heads with the own ones. */
export async function answerComparison(
  { db }: Pick<Services, 'db'>,
  { after, until, heads }: v.InferOutput<typeof comparison.question>,
): Promise<Answer> {
  const ownHeads = await readHeads(db, { after, until, limit: HEADS_PER_PAGE })
  const last = ownHeads.length === HEADS_PER_PAGE ? ownHeads.at(-1)?.walletId : until
  const theirs = heads.filter(({ walletId }) => last === undefined || walletId <= last)
  const ids = new Set([...ownHeads, ...theirs].map(({ walletId }) => walletId))
  const [ownById, theirsById] = [byId(ownHeads), byId(theirs)]
  const different: Answer['different'] = []
  for (const walletId of ids) {
    const [mine, other] = [ownById.get(walletId), theirsById.get(walletId)]
    if (mine?.hash === other?.hash) continue
    const at = other && (await findHash(db, walletId, other.generation))
    const side = mine && { generation: mine.generation, hash: mine.hash, ...(at !== undefined && { at }) }
    different.push({ walletId, ...(side && { peer: side }) })
  }
  return { different, ...(last !== undefined && { until: last }) }
}

function byId<T extends { readonly walletId: string }>(heads: readonly T[]): ReadonlyMap<string, T> {
  return new Map(heads.map(head => [head.walletId, head]))
}

export const newRecord = v.strictObject({
  environmentId: v.string(),
  record: v.pipe(v.string(), v.maxLength(4096)),
  policy: v.pipe(v.string(), v.maxLength(65_536)),
})
export type NewRecord = v.InferOutput<typeof newRecord>

/** The records of a wallet from a generation on. */
export const history = {
  question: v.strictObject({ walletId: uuid, from: generation, limit: v.optional(limit, MAX_ENTRIES) }),
  answer: v.object({ entries: v.array(newRecord) }),
}

export async function answerHistory(
  { db }: Pick<Services, 'db'>,
  { walletId, from, limit }: v.InferOutput<typeof history.question>,
): Promise<v.InferOutput<typeof history.answer>> {
  const { environmentId, record, policy } = records
  const entries = await db
    .select({ environmentId, record, policy })
    .from(records)
    .where(and(eq(records.walletId, walletId), gte(records.generation, from)))
    .orderBy(asc(records.generation))
    .limit(limit)
  return { entries }
}
