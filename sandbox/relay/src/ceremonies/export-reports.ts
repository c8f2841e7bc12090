/**
 * R1's signed reports of exports to the product API, which tells the user by mail. A report is stored in the transaction
 * of its export and stays until the API took it, so neither a kill nor an API that is away loses one.
 */
import { randomUUID } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import { signJws } from '../authority/jws.js'
import { exportReports } from '../db/schema.js'
import { RelayError } from '../http/errors.js'
import type { Services } from '../services.js'
import type { SetRow, Transaction } from '../store/sets.js'

const TYP = 'keybay-export+jwt'
const PAGE_SIZE = 100

type Reporting = Pick<Services, 'party' | 'db' | 'api' | 'environments' | 'log'>

/** Stores the report of an export. R2 reports nothing, because R1 takes part in every export. */
export async function storeExportReport(
  { party, keys, clock }: Pick<Services, 'party' | 'keys' | 'clock'>,
  tx: Transaction,
  { environmentId, userId, walletId, address }: SetRow,
): Promise<void> {
  if (party !== 'R1') return
  const id = randomUUID()
  const wallet = { env: environmentId, sub: userId, wallet: walletId, address }
  const claims = { iss: party, ...wallet, jti: id, iat: Math.floor(clock.now() / 1000) }
  const report = signJws({ typ: TYP, kid: keys.record.kid }, claims, keys.record.key)
  await tx.insert(exportReports).values({ id, environmentId, report, createdAt: clock.now() })
}

/** Sends the stored reports, the oldest first. Never throws: the next sweep resumes. */
export async function sendExportReports({ party, db, api, environments, log }: Reporting): Promise<void> {
  if (party !== 'R1') return
  try {
    const rows = await db.select().from(exportReports).orderBy(asc(exportReports.createdAt)).limit(PAGE_SIZE)
    for (const { id, environmentId, report } of rows) {
      const environment = environments.get(environmentId)
      if (!environment) continue
      try {
        await api.reportExport(environment, report)
      } catch (error) {
        if (!(error instanceof RelayError && error.code === 'session_expired')) throw error
        // The user was deleted.
      }
      await db.delete(exportReports).where(eq(exportReports.id, id))
    }
  } catch (error) {
    log({ level: 'warn', message: 'the product API did not take the report of an export', error: String(error) })
  }
}
