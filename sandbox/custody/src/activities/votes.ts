/** Consent: a second user approves or rejects a waiting activity by its fingerprint. */
import * as v from 'valibot'
import { type ActivityKind, kind } from './kind.js'

const parameters = v.strictObject({ fingerprint: v.pipe(v.string(), v.regex(/^sha256:[0-9a-f]{64}$/)) })

/** Creates no activity of its own: `submit` adds the vote to the activity that it names and returns that activity. */
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
