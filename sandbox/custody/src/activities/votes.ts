/** Consent: a second user approves or rejects an activity that waits for it, by its fingerprint. */
import * as v from 'valibot'
import { type ActivityKind, kind } from './kind.js'

const parameters = v.strictObject({ fingerprint: v.pipe(v.string(), v.regex(/^sha256:[0-9a-f]{64}$/)) })

/** They make no activity of their own: `submit` adds the vote to the one that they name and answers that. */
function vote(path: string, type: string, intent: string): ActivityKind {
  return kind(
    {
      path,
      types: [type],
      intent,
      result: '',
      action: 'VOTE',
      resource: 'ACTIVITY',
      by: 'any-user',
      needs: 'key',
      parameters,
    },
    async () => ({}),
  )
}

export const voteKinds: readonly ActivityKind[] = [
  vote('approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', 'approveActivityIntent'),
  vote('reject_activity', 'ACTIVITY_TYPE_REJECT_ACTIVITY', 'rejectActivityIntent'),
]
