/** Collects everything that the API, the relays and custody know about one user, as one document without secrets. */
import { asc, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { organizationFact } from '../custody/organizations.js'
import {
  backups,
  credentials,
  embeddedWallets,
  facts,
  frameKeys,
  framePasskeys,
  mfaDevices,
  recoveryCodes,
  securityEvents,
  sessions,
  users,
} from '../db/schema.js'
import type { Call } from '../http/call.js'
import { ApiError, notFound, serviceUnavailable } from '../http/errors.js'
import { askRelays, instructCustody } from '../remote/operator-messages.js'
import { recordEvent } from '../security-log/events.js'

const rows = v.array(v.record(v.string(), v.unknown()))

export const userExportSchema = v.object({
  exportedAt: v.number(),
  api: v.record(v.string(), rows),
  relays: v.array(v.unknown()),
  custody: v.nullable(v.unknown()),
})
type UserExport = v.InferOutput<typeof userExportSchema>

/** @throws ApiError `not_found`, `service_unavailable`: a part that is missing makes no document */
export async function exportUser(call: Call, userId: string, isHere: boolean): Promise<UserExport> {
  const { services, environment } = call
  const message = { environmentId: environment.id, userId, kind: 'export' } as const
  const api = await exportOwn(call, userId)
  const [fact] = await services.db
    .select()
    .from(facts)
    .where(eq(facts.name, organizationFact(message)))
  const organizationId = /^is (\S+)/.exec(fact?.value ?? '')?.[1] ?? null
  const askCustody = () =>
    instructCustody(services, { ...message, organizationId }).catch(() => {
      throw new ApiError(serviceUnavailable, { service: 'custody' })
    })
  const [custody, relays] = await Promise.all([fact ? askCustody() : null, askRelays(services, message)])
  await services.db.transaction(tx => recordEvent(call, tx, { userId, kind: 'data-exported', isHere }))
  return { exportedAt: services.clock.now(), api, relays, custody: custody ?? null }
}

async function exportOwn({ services: { db }, environment }: Call, userId: string): Promise<UserExport['api']> {
  const user = await db.select().from(users).where(eq(users.id, userId))
  if (user[0]?.environmentId !== environment.id) throw new ApiError(notFound)
  const factors = await db.select().from(mfaDevices).where(eq(mfaDevices.userId, userId))
  const codes = await db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  const sessionRows = await db.select().from(sessions).where(eq(sessions.userId, userId))
  const backupRows = await db.select().from(backups).where(eq(backups.userId, userId))
  const keys = await db.select().from(frameKeys).where(eq(frameKeys.userId, userId))
  const events = eq(securityEvents.userId, userId)
  return {
    user,
    credentials: await db.select().from(credentials).where(eq(credentials.userId, userId)),
    sessions: sessionRows.map(({ thumbprint: _, publicKey: __, refreshCounter: ___, ...session }) => session),
    factors: factors.map(({ sealed: _, lastStep: __, ...factor }) => factor),
    recoveryCodes: codes.map(({ usedAt }) => ({ usedAt })),
    framePasskeys: await db.select().from(framePasskeys).where(eq(framePasskeys.userId, userId)),
    embeddedWallets: await db.select().from(embeddedWallets).where(eq(embeddedWallets.userId, userId)),
    // Without the envelopes, which a page never gets: the user's wallet frame exports them.
    backups: backupRows.map(({ envelope: _, digest: __, frameKey: ___, ...backup }) => backup),
    frameKeys: keys.map(({ thumbprint: _, ...key }) => key),
    securityLog: await db.select().from(securityEvents).where(events).orderBy(asc(securityEvents.sequence)),
  }
}
