/** Running ceremonies: the sealed state is in the database, so that any instance can continue; each step runs once. */
import type { Clock } from '@keybay/sandbox-service'
import type { Envelope } from '@keybay/sandbox-service/envelope'
import { and, eq, gt } from 'drizzle-orm'
import type { Database } from '../db/open.js'
import { ceremonies } from '../db/schema.js'
import { RelayError } from '../http/errors.js'

export type CeremonyRow = typeof ceremonies.$inferSelect
export interface CeremonyKey {
  readonly id: string
  readonly environmentId: string
  /** User of the ceremony; undefined for a delegate, which proves its right in another way. */
  readonly userId: string | undefined
  readonly kind: CeremonyRow['kind']
}
type Writer = Pick<Database, 'insert' | 'update'>

function getContext({ id, kind }: Pick<CeremonyRow, 'id' | 'kind'>): string {
  return `ceremony ${kind} ${id}`
}

export function createCeremonies(db: Database, envelope: Envelope, clock: Clock) {
  return {
    /** Returns undefined when the ceremony does not exist or has expired. */
    async find({ id, environmentId, userId, kind }: CeremonyKey): Promise<CeremonyRow | undefined> {
      const [row] = await db
        .select()
        .from(ceremonies)
        .where(
          and(
            eq(ceremonies.id, id),
            eq(ceremonies.environmentId, environmentId),
            userId === undefined ? undefined : eq(ceremonies.userId, userId),
            eq(ceremonies.kind, kind),
            gt(ceremonies.expiresAt, clock.now()),
          ),
        )
      return row
    },
    /** @throws RelayError `ceremony_not_found` */
    async get(key: CeremonyKey): Promise<CeremonyRow> {
      const row = await this.find(key)
      if (!row) throw new RelayError('ceremony_not_found')
      return row
    },
    /** @throws RelayError `ceremony_state` when the id is taken */
    async begin(tx: Writer, row: Omit<CeremonyRow, 'state'>, state: Uint8Array | null): Promise<void> {
      const sealed = state && envelope.seal(state, getContext(row))
      state?.fill(0)
      const [made] = await tx
        .insert(ceremonies)
        .values({ ...row, state: sealed })
        .onConflictDoNothing()
        .returning()
      if (!made) throw new RelayError('ceremony_state')
    },
    /** Returns the secret state. @throws RelayError `ceremony_state` when the state was used */
    state(row: CeremonyRow): Uint8Array {
      if (row.state === null) throw new RelayError('ceremony_state')
      return envelope.open(row.state, getContext(row))
    },
    /** Advances a ceremony by one step, once; without a state it is over. @throws RelayError `ceremony_state` */
    async advance(
      tx: Writer,
      row: CeremonyRow,
      values: Partial<Pick<CeremonyRow, 'step' | 'bodyHash' | 'answer' | 'facts' | 'expiresAt' | 'setId'>>,
      state: Uint8Array | null,
    ): Promise<void> {
      const sealed = state && envelope.seal(state, getContext(row))
      state?.fill(0)
      const [moved] = await tx
        .update(ceremonies)
        .set({ ...values, state: sealed })
        .where(and(eq(ceremonies.id, row.id), eq(ceremonies.step, row.step)))
        .returning()
      if (!moved) throw new RelayError('ceremony_state')
    },
  }
}
export type Ceremonies = ReturnType<typeof createCeremonies>
