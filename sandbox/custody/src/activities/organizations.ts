/** Sub-organizations: one per user, with its root users and an optional first wallet. */
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { organizations } from '../db/schema.js'
import { CustodyError, invalidRequest } from '../http/errors.js'
import { authenticatorParams } from '../stamps/webauthn.js'
import { apiKeyParams, email, id, name } from './fields.js'
import { type ActivityKind, kind } from './kind.js'
import { addUser, getUser } from './store.js'
import { addWallet, walletParams } from './wallets.js'

export const userParams = {
  userName: name,
  userEmail: v.optional(email),
  apiKeys: v.pipe(v.array(apiKeyParams), v.maxLength(8)),
  authenticators: v.pipe(v.array(authenticatorParams), v.maxLength(8)),
  oauthProviders: v.pipe(v.array(v.unknown()), v.maxLength(0)),
}
const threshold = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(16))

export const organizationKinds: readonly ActivityKind[] = [
  kind({
    path: 'create_sub_organization',
    versions: ['V8', 'V7'],
    resultVersion: 'V8',
    action: 'CREATE',
    resource: 'ORGANIZATION',
    by: 'operator',
    parameters: v.strictObject({
      subOrganizationName: name,
      rootUsers: v.pipe(v.array(v.strictObject(userParams)), v.minLength(1), v.maxLength(16)),
      rootQuorumThreshold: threshold,
      wallet: v.optional(walletParams),
      disableEmailRecovery: v.optional(v.boolean()),
      disableEmailAuth: v.optional(v.boolean()),
      disableSmsAuth: v.optional(v.boolean()),
      disableOtpEmailAuth: v.optional(v.boolean()),
    }),
    run: async (running, params) => {
      const { tx, now, organizationId: parentId } = running
      if (params.rootQuorumThreshold > params.rootUsers.length)
        throw new CustodyError(invalidRequest, { field: 'rootQuorumThreshold' })
      const subOrganizationId = randomUUID()
      const inside = { ...running, organizationId: subOrganizationId }
      const rootUserIds: string[] = []
      for (const user of params.rootUsers) rootUserIds.push(await addUser(inside, user))
      await tx
        .insert(organizations)
        .values({
          id: subOrganizationId,
          parentId,
          name: params.subOrganizationName,
          rootUserIds,
          rootThreshold: params.rootQuorumThreshold,
          emailRecovery: params.disableEmailRecovery !== true,
          auditSequence: 0,
          auditHash: '',
          createdAt: now,
        })
      const wallet = params.wallet && (await addWallet(inside, params.wallet))
      return { subOrganizationId, rootUserIds, ...(wallet && { wallet: { ...wallet } }) }
    },
  }),
  kind({
    path: 'update_root_quorum',
    action: 'UPDATE',
    resource: 'ORGANIZATION',
    parameters: v.strictObject({ threshold, userIds: v.pipe(v.array(id), v.minLength(1), v.maxLength(16)) }),
    run: async (running, { threshold, userIds }) => {
      const rootUserIds = [...new Set(userIds)]
      if (threshold > rootUserIds.length) throw new CustodyError(invalidRequest, { field: 'threshold' })
      for (const userId of rootUserIds) await getUser(running, userId)
      await running.tx
        .update(organizations)
        .set({ rootUserIds, rootThreshold: threshold })
        .where(eq(organizations.id, running.organizationId))
      return {}
    },
  }),
]
