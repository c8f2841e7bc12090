/**
 * What the relays and custody must do for a user: queued in the transaction of the decision, sent at once, and again by
 * every sweep until each service took it. Every instruction may be repeated.
 */
import { randomUUID } from 'node:crypto'
import { and, asc, eq, lte } from 'drizzle-orm'
import { organizationFact } from '../custody/organizations.js'
import type { Database } from '../db/open.js'
import { facts, instructions } from '../db/schema.js'
import type { Services } from '../services.js'
import { type InstructionKind, instructCustody, instructRelay } from './operator-messages.js'

const RETRY_MS = 60_000
const MAX_PER_PASS = 200
const CUSTODY = 'custody'

type Instruction = typeof instructions.$inferSelect

export interface NewInstruction {
  readonly environmentId: string
  readonly userId: string
  /** Newer instructions of a topic replace older ones. */
  readonly topic: 'access' | 'data'
  readonly kind: InstructionKind
}

/** Queues an instruction for every relay, and for custody if the user has a wallet there, or a claim to one. */
export async function queueInstruction(
  services: Pick<Services, 'clock' | 'relays'>,
  tx: Pick<Database, 'insert' | 'select'>,
  { environmentId, userId, topic, kind }: NewInstruction,
): Promise<void> {
  const [fact] = await tx
    .select()
    .from(facts)
    .where(eq(facts.name, organizationFact({ environmentId, userId })))
  const organizationId = /^is (\S+)/.exec(fact?.value ?? '')?.[1] ?? null
  const targets = fact ? [...services.relays, CUSTODY] : services.relays
  for (const target of targets) {
    const id = JSON.stringify([environmentId, userId, topic, target])
    const state = { kind, organizationId, revision: randomUUID(), dueAt: services.clock.now() }
    await tx
      .insert(instructions)
      .values({ id, environmentId, userId, target, ...state })
      .onConflictDoUpdate({ target: instructions.id, set: state })
  }
}

function send(services: Services, { target, organizationId, ...instruction }: Instruction): Promise<unknown> {
  return target === CUSTODY
    ? instructCustody(services, { ...instruction, organizationId })
    : instructRelay(services, target, instruction)
}

/** Sends what is due. Never throws. @returns the services that have not taken an instruction for this user yet */
export async function deliverInstructions(services: Services, userId?: string): Promise<readonly string[]> {
  const { db, clock, log } = services
  const now = clock.now()
  const isDue = userId === undefined ? lte(instructions.dueAt, now) : eq(instructions.userId, userId)
  const due = await db.select().from(instructions).where(isDue).orderBy(asc(instructions.dueAt)).limit(MAX_PER_PASS)
  const left: string[] = []
  for (const instruction of due) {
    const { id, revision, target, kind } = instruction
    // A newer instruction may have replaced this one while it was on its way.
    const same = and(eq(instructions.id, id), eq(instructions.revision, revision))
    try {
      await send(services, instruction)
      await db.delete(instructions).where(same)
    } catch {
      left.push(target)
      log({ level: 'warn', message: 'a service did not take an instruction', target, kind })
      await db
        .update(instructions)
        .set({ dueAt: now + RETRY_MS })
        .where(same)
    }
  }
  return left
}
