/** Policies: permissions of users, and the consent that they require. */
import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { policies } from '../db/schema.js'
import { alreadyExists, CustodyError, resourceNotFound } from '../http/errors.js'
import { parsePolicy } from '../policy/parse.js'
import { id, name } from './fields.js'
import { type ActivityKind, kind } from './kind.js'

const expression = v.optional(v.pipe(v.string(), v.maxLength(4096)), '')

export const policyKinds: readonly ActivityKind[] = [
  kind({
    path: 'create_policy',
    versions: ['V3'],
    action: 'CREATE',
    resource: 'POLICY',
    parameters: v.strictObject({
      policyName: name,
      effect: v.picklist(['EFFECT_ALLOW', 'EFFECT_DENY']),
      condition: expression,
      consensus: expression,
      notes: v.optional(v.pipe(v.string(), v.maxLength(4096)), ''),
    }),
    run: async ({ tx, organizationId, now }, { policyName, effect, condition, consensus, notes }) => {
      for (const text of [condition, consensus]) if (text !== '') parsePolicy(text)
      const policyId = randomUUID()
      const made = await tx
        .insert(policies)
        .values({ id: policyId, organizationId, name: policyName, effect, condition, consensus, notes, createdAt: now })
        .onConflictDoNothing()
        .returning({ id: policies.id })
      if (made.length === 0) throw new CustodyError(alreadyExists, { resource: 'policy' })
      return { policyId }
    },
  }),
  kind({
    path: 'delete_policy',
    action: 'DELETE',
    resource: 'POLICY',
    parameters: v.strictObject({ policyId: id }),
    run: async ({ tx, organizationId }, { policyId }) => {
      const deleted = await tx
        .delete(policies)
        .where(and(eq(policies.organizationId, organizationId), eq(policies.id, policyId)))
        .returning({ id: policies.id })
      if (deleted.length === 0) throw new CustodyError(resourceNotFound, { resource: 'policy' })
      return { policyId }
    },
  }),
]
