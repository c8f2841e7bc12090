import type { VerificationStep } from '@keybay/kernel/spec'
import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from '../db/open.js'
import { credentials } from '../db/schema.js'
import type { Environment } from '../environments.js'

/** Returns the step that the environment requires before the session may do anything else. */
export async function missingStep(
  db: Database,
  { required }: Environment,
  userId: string,
): Promise<Exclude<VerificationStep, 'verified-and-transferred'>> {
  if (!required.email && !required.phone) return 'done'
  const found = await db
    .select({ method: credentials.method })
    .from(credentials)
    .where(and(eq(credentials.userId, userId), inArray(credentials.method, ['email', 'phoneNumber'])))
  const has = new Set(found.map(({ method }) => method))
  if (required.email && !has.has('email')) return 'verify-email'
  return required.phone && !has.has('phoneNumber') ? 'verify-sms' : 'done'
}
