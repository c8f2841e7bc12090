/** All activity kinds of the custody service. */
import { exportKinds } from './exports.js'
import type { ActivityKind } from './kind.js'
import { organizationKinds } from './organizations.js'
import { policyKinds } from './policies.js'
import { recoveryKinds } from './recovery.js'
import { signingKinds } from './signing.js'
import { userKinds } from './users.js'
import { voteKinds } from './votes.js'
import { walletKinds } from './wallets.js'

export const kinds: readonly ActivityKind[] = [
  ...signingKinds,
  ...walletKinds,
  ...userKinds,
  ...organizationKinds,
  ...recoveryKinds,
  ...exportKinds,
  ...policyKinds,
  ...voteKinds,
]

const byType = new Map(kinds.flatMap(kind => kind.types.map(type => [type, kind] as const)))

export function getKind(type: string): ActivityKind | undefined {
  return byType.get(type)
}
