/**
 * R1's reports of every wallet to the product API, once a day, so that an API restored from a backup also learns
 * of wallets whose owners stay away.
 */
import { and, asc, eq, gt } from 'drizzle-orm'
import { shareSets } from '../db/schema.js'
import { RelayError } from '../http/errors.js'
import type { Services } from '../services.js'

const REPORT_EVERY_MS = 86_400_000
const PAGE_SIZE = 100

type Reporting = Pick<Services, 'party' | 'db' | 'api' | 'clock' | 'environments' | 'log'>
type Reported = Pick<typeof shareSets.$inferSelect, 'id' | 'walletId' | 'environmentId' | 'record'>

/** Returns a function for every sweep: it reports all wallets after the start and then once a day. Only R1 reports. */
export function createWalletReports(services: Reporting): () => Promise<void> {
  const { party, db, clock } = services
  let reportedAt: number | undefined
  let lastId = ''
  let running: Promise<void> | undefined

  /** Continues after the last report that the API answered. */
  async function reportAll(): Promise<void> {
    for (;;) {
      const page = await readPage(db, lastId)
      for (const row of page) {
        if (!(await reportWallet(services, row))) return
        lastId = row.id
      }
      if (page.length < PAGE_SIZE) break
    }
    lastId = ''
    reportedAt = clock.now()
  }

  /** Returns true when the next report is due; a clock that was set back does not delay it. */
  function isDue(): boolean {
    return reportedAt === undefined || Math.abs(clock.now() - reportedAt) >= REPORT_EVERY_MS
  }

  return async () => {
    if (party !== 'R1' || !isDue()) return
    // A concurrent sweep waits for this report.
    running ??= reportAll().finally(() => {
      running = undefined
    })
    await running
  }
}

function readPage(db: Services['db'], after: string): Promise<Reported[]> {
  const { id, walletId, environmentId, record, kind, status } = shareSets
  return db
    .select({ id, walletId, environmentId, record })
    .from(shareSets)
    .where(and(eq(kind, 'primary'), eq(status, 'active'), gt(id, after)))
    .orderBy(asc(id))
    .limit(PAGE_SIZE)
}

/**
 * Reports a wallet and never throws. @returns false when the
 * API did not respond: the next sweep resumes at this wallet
 */
async function reportWallet({ api, environments, log }: Reporting, row: Reported): Promise<boolean> {
  const { walletId, environmentId, record } = row
  const environment = environments.get(environmentId)
  if (!environment) return true
  try {
    await api.report(environment, record)
  } catch (error) {
    const code = error instanceof RelayError ? error.code : undefined
    // The user was deleted.
    if (code === 'session_expired') return true
    log({ level: 'warn', message: 'the product API did not take a wallet', walletId, error: String(error) })
    return !(error instanceof RelayError && code === 'api_unavailable' && !error.details)
  }
  return true
}
