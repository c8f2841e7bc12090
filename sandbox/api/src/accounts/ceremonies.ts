/** Stores state that one request begins and another ends once, possibly on another instance. */
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
  /** In ms. */
  readonly lifetime: number
  readonly data?: Record<string, unknown>
  /** Hashes the secret together with the ceremony's ID. */
  readonly secretHash?: (id: string) => string
}

export async function begin({ services, environment }: CeremonyContext, newCeremony: NewCeremony): Promise<Ceremony> {
  const id = randomUUID()
  const row: Ceremony = {
    id,
    environmentId: environment.id,
    kind: newCeremony.kind,
    thumbprint: newCeremony.thumbprint,
    userId: newCeremony.userId ?? null,
    secretHash: newCeremony.secretHash?.(id) ?? null,
    data: newCeremony.data ?? {},
    attempts: 0,
    expiresAt: services.clock.now() + newCeremony.lifetime,
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

/** Counts a try and returns the ceremony in one statement, so that two concurrent tries count as two. */
export async function attempt(context: CeremonyContext, key: CeremonyKey): Promise<Ceremony | undefined> {
  const [row] = await context.services.db
    .update(ceremonies)
    .set({ attempts: sql`${ceremonies.attempts} + 1` })
    .where(open(context, key))
    .returning()
  return row
}

/** Ends the ceremony and returns it. Of two concurrent calls, on any instance, only one gets it. */
export async function consume(context: CeremonyContext, key: CeremonyKey): Promise<Ceremony | undefined> {
  const [row] = await context.services.db
    .update(ceremonies)
    .set({ consumedAt: context.services.clock.now() })
    .where(open(context, key))
    .returning()
  return row
}

export async function peek(context: CeremonyContext, key: CeremonyKey): Promise<Ceremony | undefined> {
  const [row] = await context.services.db.select().from(ceremonies).where(open(context, key))
  return row
}
