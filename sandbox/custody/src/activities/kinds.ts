/** All activity kinds of the custody service. */

import * as v from 'valibot'
import { exportKinds } from './exports.js'
import { importKinds } from './imports.js'
import { type ActivityKind, kind } from './kind.js'
import { organizationKinds } from './organizations.js'
import { policyKinds } from './policies.js'
import { recoveryKinds } from './recovery.js'
import { signingKinds } from './signing.js'
import { userKinds } from './users.js'
import { walletKinds } from './wallets.js'

const parameters = v.strictObject({ fingerprint: v.pipe(v.string(), v.regex(/^sha256:[0-9a-f]{64}$/)) })

/** Creates no activity of its own: `submit` adds the vote to the activity that it names and returns that activity. */
function vote(path: string): ActivityKind {
  return kind({
    path,
    action: 'VOTE',
    resource: 'ACTIVITY',
    by: 'any-user',
    needs: 'key',
    parameters,
    run: async () => ({}),
  })
}

export const voteKinds: readonly ActivityKind[] = [vote('approve_activity'), vote('reject_activity')]

export const kinds: readonly ActivityKind[] = [
  ...signingKinds,
  ...walletKinds,
  ...userKinds,
  ...organizationKinds,
  ...recoveryKinds,
  ...exportKinds,
  ...importKinds,
  ...policyKinds,
  ...voteKinds,
]

const byType = new Map(kinds.flatMap(kind => kind.types.map(type => [type, kind] as const)))

export function getKind(type: string): ActivityKind | undefined {
  return byType.get(type)
}
