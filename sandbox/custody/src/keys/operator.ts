/**
 * The operator's organization, whose API key creates sub-organizations and starts recoveries. The key comes from the
 * environment, or from a file written at the first start, which the product API on the same machine reads.
 */
import { randomUUID } from 'node:crypto'
import { type FoundKey, findKeyText } from '@keybay/sandbox-service/keys'
import { generateP256KeyPair } from '@turnkey/crypto'
import { and, eq, inArray, isNull, ne, notInArray, or } from 'drizzle-orm'
import * as v from 'valibot'
import type { Database } from '../db/open.js'
import { apiKeys, organizations, users } from '../db/schema.js'
import { isP256 } from '../stamps/api-key.js'

/** Operator key, or several keys separated by commas: two during a key replacement. */
const publicKeys = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.transform(text => text.split(',').map(part => part.trim())),
  v.array(v.pipe(v.string(), v.check(isP256, 'a compressed P-256 key'))),
)
const operatorSchema = v.object({
  organizationId: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  publicKey: publicKeys,
  /** Present only in the file of a sandbox that created the key. */
  privateKey: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))),
})
/** Errors of this schema never quote the text. */
const operatorText = v.pipe(v.string(), v.parseJson(), operatorSchema)
export type Operator = v.InferOutput<typeof operatorSchema>

function made(): string {
  const { publicKey, privateKey } = generateP256KeyPair()
  return JSON.stringify({ organizationId: randomUUID(), publicKey, privateKey }, null, 2)
}

interface OperatorSource {
  readonly organizationId: string | undefined
  readonly publicKey: string | undefined
  readonly file: string | undefined
}

/**
 * Finds the operator's key and writes nothing. @throws Error that names the variable or file, and never quotes a key
 */
export function findOperator({ organizationId, publicKey, file }: OperatorSource): FoundKey<Operator> {
  const variable = 'CUSTODY_API_PUBLIC_KEY'
  const isGiven = organizationId !== undefined || publicKey !== undefined
  const settingsText = isGiven ? JSON.stringify({ organizationId, publicKey }) : undefined
  const { text, from, isNew, save } = findKeyText({ service: 'custody', variable, text: settingsText, file }, made)
  const read = v.safeParse(operatorText, text)
  // Needs no identities: the database identifies this key by its public half, which it stores as an API key.
  if (read.success) return { value: read.output, source: { variable, from, isNew, save }, identities: [] }
  const place = isGiven ? `CUSTODY_ORGANIZATION_ID and ${variable}` : from
  throw new Error(`custody cannot start: ${place} must hold an organization id and a compressed P-256 public key, hex`)
}

/**
 * Creates the operator's organization with a root user, and makes the configured keys the only operator keys: a
 * replaced key stops working at the next start. A second instance finds the existing organization.
 */
export async function ensureOperator(db: Database, { organizationId, publicKey: publicKeys }: Operator, now: number) {
  await db.transaction(async tx => {
    const userId = randomUUID()
    const [fresh] = await tx
      .insert(organizations)
      .values({
        id: organizationId,
        parentId: null,
        name: 'Operator',
        rootUserIds: [userId],
        rootThreshold: 1,
        emailRecovery: false,
        auditSequence: 0,
        auditHash: '',
        createdAt: now,
      })
      .onConflictDoNothing()
      .returning()
    if (fresh)
      await tx
        .insert(users)
        .values({ id: userId, organizationId, name: 'Operator', email: null, createdAt: now, updatedAt: now })
    const [organization] = await tx.select().from(organizations).where(eq(organizations.id, organizationId))
    const operators = tx.select({ id: organizations.id }).from(organizations).where(isNull(organizations.parentId))
    const isReplaced = or(ne(apiKeys.organizationId, organizationId), notInArray(apiKeys.publicKey, publicKeys))
    await tx.delete(apiKeys).where(and(inArray(apiKeys.organizationId, operators), isReplaced))
    const key = {
      organizationId,
      userId: organization?.rootUserIds[0] ?? userId,
      name: 'Product API',
      type: 'CREDENTIAL_TYPE_API_KEY_P256' as const,
      expirationSeconds: null,
      expiresAt: null,
      usedAt: null,
      createdAt: now,
    }
    await tx
      .insert(apiKeys)
      .values(publicKeys.map(publicKey => ({ ...key, id: randomUUID(), publicKey })))
      .onConflictDoNothing()
  })
}
