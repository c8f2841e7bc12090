/** Helpers for every custody route: whether custody is enabled, and the user's organization. */
import { type Organization, readOrganization } from '../../custody/organizations.js'
import type { Call } from '../../http/call.js'
import { ApiError, custodyUnavailable, custodyWalletMissing, methodNotEnabled, mfaRequired } from '../../http/errors.js'

export const reading = [methodNotEnabled, custodyUnavailable] as const
export const changing = [...reading, mfaRequired] as const

export function getOwner({ environment }: Call, userId: string) {
  return { environmentId: environment.id, userId }
}

/** @throws ApiError `method_not_enabled` */
export function enabled({ environment }: Call): void {
  if (!environment.custody.enabled) throw new ApiError(methodNotEnabled)
}

/** @throws ApiError `custody_wallet_missing` */
export async function ownOrganization(call: Call, userId: string): Promise<Organization> {
  const organization = await readOrganization(call.services, getOwner(call, userId))
  if (!organization) throw new ApiError(custodyWalletMissing)
  return organization
}
