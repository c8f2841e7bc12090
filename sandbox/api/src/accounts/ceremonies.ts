/** What is begun in one request and ended, once, in another, maybe by another instance. */
import { randomUUID } from 'node:crypto'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { ceremonies } from '../db/schema.js'
import type { Environment } from '../environments.js'
import type { Services } from '../services.js'

export type CeremonyKind =
  | 'nonce'
  | 'email-code'
  | 'phone-code'
  | 'passkey-sign-in'
  | 'passkey-sign-up'
  | 'passkey-register'
  | 'merge'
  | 'social'
  | 'mfa-sign-in'
  | 'mfa-challenge'
  | 'mfa-frame'
  | 'frame-proved'
  | 'frame-passkey'
  | 'frame-enrolment'
  | 'mfa-enrolment'

export type Ceremony = typeof ceremonies.$inferSelect

export interface CeremonyContext {
  readonly services: Services
  readonly environment: Environment
}

export interface NewCeremony {
  readonly kind: CeremonyKind
  readonly thumbprint: string
  readonly userId?: string | undefined
  /** ms */
  readonly lifetime: number
  readonly data?: Record<string, unknown>
  /** Made of the id, where a secret is hashed together with it. */
  readonly secretHash?: (id: string) => string
}

export async function begin({ services, environment }: CeremonyContext, one: NewCeremony): Promise<Ceremony> {
  const id = randomUUID()
  const row: Ceremony = {
    id,
    environmentId: environment.id,
    kind: one.kind,
    thumbprint: one.thumbprint,
    userId: one.userId ?? null,
    secretHash: one.secretHash?.(id) ?? null,
    data: one.data ?? {},
    attempts: 0,
    expiresAt: services.clock.now() + one.lifetime,
    consumedAt: null,
  }
  await services.db.insert(ceremonies).values(row)
  return row
}

export interface CeremonyKey {
  readonly id: string
  readonly kind: CeremonyKind
  readonly thumbprint: string
}

function open({ services, environment }: CeremonyContext, { id, kind, thumbprint }: CeremonyKey) {
  return and(
    eq(ceremonies.id, id),
    eq(ceremonies.kind, kind),
    eq(ceremonies.environmentId, environment.id),
    eq(ceremonies.thumbprint, thumbprint),
    isNull(ceremonies.consumedAt),
    gt(ceremonies.expiresAt, services.clock.now()),
  )
}

/** Counts a try and returns what was begun, in one statement, so that two at once count two. */
export async function attempt(context: CeremonyContext, key: CeremonyKey): Promise<Ceremony | undefined> {
  const [row] = await context.services.db
    .update(ceremonies)
    .set({ attempts: sql`${ceremonies.attempts} + 1` })
    .where(open(context, key))
    .returning()
  return row
}

/** Ends it. Of two at once, by whichever instance, one gets it. */
export async function consume(context: CeremonyContext, key: CeremonyKey): Promise<Ceremony | undefined> {
  const [row] = await context.services.db
    .update(ceremonies)
    .set({ consumedAt: context.services.clock.now() })
    .where(open(context, key))
    .returning()
  return row
}

/** Looks at it without using it up. */
export async function peek(context: CeremonyContext, key: CeremonyKey): Promise<Ceremony | undefined> {
  const [row] = await context.services.db.select().from(ceremonies).where(open(context, key))
  return row
}
