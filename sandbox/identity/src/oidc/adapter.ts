/** Stores the records of oidc-provider in our table. */
import { and, eq, inArray } from 'drizzle-orm'
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import { records } from '../db/schema.js'
import type { Services } from '../services.js'

const NEVER = 10 * 365 * 86_400

/** @param prefix tells two providers' records apart */
export function createAdapter({ db, clock }: Pick<Services, 'db' | 'clock'>, prefix: string): AdapterFactory {
  return (model): Adapter => {
    const kind = `${prefix}/${model}`
    const byId = (id: string) => and(eq(records.kind, kind), eq(records.id, id))
    const read = async (where: ReturnType<typeof byId>): Promise<AdapterPayload | undefined> => {
      const [row] = await db.select().from(records).where(where)
      if (!row || (row.expiresAt !== null && row.expiresAt <= clock.now())) return undefined
      return { ...row.payload, ...(row.consumedAt !== null && { consumed: Math.floor(row.consumedAt / 1000) }) }
    }
    return {
      async upsert(id, payload, expiresIn = NEVER) {
        const row = {
          payload: { ...payload },
          grantId: payload.grantId ?? null,
          uid: payload.uid ?? null,
          expiresAt: clock.now() + expiresIn * 1000,
        }
        await db
          .insert(records)
          .values({ kind, id, ...row })
          .onConflictDoUpdate({ target: [records.kind, records.id], set: row })
      },
      find: id => read(byId(id)),
      findByUid: uid => read(and(eq(records.kind, kind), eq(records.uid, uid))),
      // Devices are not supported, so no record has a user code.
      findByUserCode: async () => undefined,
      async consume(id) {
        await db.update(records).set({ consumedAt: clock.now() }).where(byId(id))
      },
      async destroy(id) {
        await db.delete(records).where(byId(id))
      },
      async revokeByGrantId(grantId) {
        const kinds = ['AccessToken', 'AuthorizationCode', 'RefreshToken'].map(name => `${prefix}/${name}`)
        await db.delete(records).where(and(inArray(records.kind, kinds), eq(records.grantId, grantId)))
      },
    }
  }
}
