/** Tokens for the providers' own APIs: encrypted at rest, and only for the host's server. */
import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { socialTokens } from '../db/schema.js'
import type { Services } from '../services.js'
import type { ProviderTokens } from './flow.js'

export function getTokensContext(credentialId: string): string {
  return `social tokens ${credentialId}`
}

export const providerTokensSchema = v.object({
  accessToken: v.string(),
  refreshToken: v.optional(v.string()),
  scope: v.optional(v.string()),
  expiresAt: v.optional(v.number()),
})

export async function keepTokens(
  { db, clock, envelope }: Services,
  credentialId: string,
  tokens: ProviderTokens,
): Promise<void> {
  const sealed = envelope.seal(Buffer.from(JSON.stringify(tokens)), getTokensContext(credentialId))
  const row = { sealed, updatedAt: clock.now() }
  await db
    .insert(socialTokens)
    .values({ credentialId, ...row })
    .onConflictDoUpdate({ target: socialTokens.credentialId, set: row })
}

/** Returns undefined if none are stored. */
export async function readTokens(
  { db, envelope }: Services,
  credentialId: string,
): Promise<v.InferOutput<typeof providerTokensSchema> | undefined> {
  const [row] = await db.select().from(socialTokens).where(eq(socialTokens.credentialId, credentialId))
  if (!row) return undefined
  const opened = envelope.open(row.sealed, getTokensContext(credentialId))
  return v.parse(providerTokensSchema, JSON.parse(Buffer.from(opened).toString()))
}
