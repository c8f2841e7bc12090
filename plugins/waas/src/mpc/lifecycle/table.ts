/** Every change of a share's state: where, by what event, and who must have signed its cause. */
import type { SetState } from './states.js'

/** `none`: the party has no share of this epoch of the set. */
export type State = SetState | 'none'

/**
 * `user`: consent in the wallet's window, with the session's signature. `primary device`, `new holder`: a device key.
 * `backup holder`, `new holder`: a proof of possession of the share. `R1`: a signed record. `… as peer`: a request.
 */
export type Signer =
  | 'user'
  | 'primary device'
  | 'backup holder'
  | 'new holder'
  | 'R1'
  | 'R1 as peer'
  | 'R2 as peer'
  | 'other user'

export interface Transition {
  readonly event: string
  readonly at: 'frame' | 'R1' | 'R2'
  readonly from: readonly State[]
  readonly to: readonly State[]
  readonly signedBy: readonly Signer[]
  readonly because: string
  /** True if the party no longer has the share. */
  readonly erases?: true
}

const HELD: readonly State[] = ['dealt', 'pending', 'active', 'superseded', 'revoked']
const BY_DEVICE: readonly Signer[] = ['user', 'primary device']

function rows(
  at: Transition['at'],
  all: readonly (readonly [string, readonly State[], State | readonly State[], readonly Signer[], string, true?])[],
): readonly Transition[] {
  return all.map(([event, from, to, signedBy, because, erases]) => ({
    event,
    at,
    from,
    to: typeof to === 'string' ? [to] : to,
    signedBy,
    because,
    ...(erases && { erases }),
  }))
}

const FRAME = rows('frame', [
  ['deal', ['none'], 'dealt', ['user'], 'The new share is stored beside the old one.'],
  ['deal', HELD, 'superseded', ['user'], 'A new ceremony, or a restore, puts other shares aside.'],
  ['upload', ['dealt'], 'pending', ['user'], 'The new backup was stored, read back and opened.'],
  ['answer', ['dealt', 'pending'], 'active', ['user', 'R1'], 'The record of the commit names the share.'],
  ['answer', HELD, 'none', ['user', 'R1'], 'The run that made the new backup ends with a record of its share.', true],
  ['record', HELD, 'active', ['R1'], 'A record names the share. A revoked additional set stays revoked.'],
  ['record', HELD, 'superseded', ['R1'], 'A record names another share of the set.'],
  ['record', HELD, 'revoked', ['R1'], 'A record revokes the set. The share stays sealed.'],
  ['record', HELD, ['dealt', 'pending'], ['R1'], 'A record names the share beside which the ceremony began.'],
  ['error', ['dealt', 'pending'], 'superseded', [], 'An unsigned error ended the ceremony. The share stays.'],
  [
    'erase',
    ['dealt', 'pending', 'superseded', 'revoked'],
    'none',
    ['user'],
    'The user erases a set that no longer signs.',
    true,
  ],
  [
    'expire',
    ['revoked', 'superseded'],
    'none',
    [],
    'Additional sets only: 30 days of use after their retirement.',
    true,
  ],
  ['lose', HELD, 'none', [], 'The browser loses its storage, or the device is lost.', true],
])

const AT_R1 = rows('R1', [
  ['deal', ['none'], 'dealt', ['user'], 'The relay deals, and keeps the old share.'],
  ['deal', ['dealt'], 'none', ['user'], 'A new ceremony of the same set and wallet replaces this one.', true],
  ['commit', ['dealt'], 'active', ['new holder'], 'Every new share and the backup are proved; R1 signs the record.'],
  ['commit', ['active'], 'none', ['new holder'], 'The new epoch replaces the share in the same transaction.', true],
  ['abort', ['dealt'], 'none', BY_DEVICE, 'The user ends the ceremony.', true],
  [
    'revoke',
    ['active', 'dealt', 'frozen'],
    'revoked',
    BY_DEVICE,
    'The user revokes an additional set, accepted or not.',
    true,
  ],
  [
    'compare',
    ['active', 'dealt'],
    ['revoked', 'none'],
    ['R1', 'R2 as peer'],
    'A restored R1 takes a revocation that R2 kept.',
    true,
  ],
  ['compare', ['active'], 'lost', ['R1', 'R2 as peer'], 'A restored R1 lacks the share of an epoch that R2 knows.'],
])

const AT_R2 = rows('R2', [
  ['deal', ['none'], 'dealt', ['user'], 'The relay deals, and keeps the old share.'],
  ['deal', ['dealt'], 'none', ['user'], 'A new ceremony of the same set and wallet replaces this one.', true],
  ['commit', ['dealt'], 'pending', ['new holder', 'R1 as peer'], 'Every new share is proved; R2 waits for the record.'],
  ['tell', ['pending'], 'active', ['R1', 'R1 as peer'], 'The record names the transcript and the policy.'],
  [
    'tell',
    ['active', 'revoked'],
    'none',
    ['R1', 'R1 as peer'],
    'The new epoch replaces the share, or has none for R2.',
    true,
  ],
  ['tell', ['active', 'pending', 'lost'], 'revoked', ['R1', 'R1 as peer'], 'A record revokes the set.', true],
  ['tell', ['dealt', 'pending'], 'none', ['R1', 'R1 as peer'], 'A record revokes a set before it is active.', true],
  ['tell', ['active', 'pending'], 'lost', ['R1', 'R1 as peer'], 'R2 lacks the share of an epoch that R1 signed.'],
  ['abort', ['dealt'], 'none', BY_DEVICE, 'The user ends the ceremony.', true],
  [
    'compare',
    ['active', 'pending', 'dealt', 'revoked'],
    ['revoked', 'none'],
    ['R1', 'R1 as peer'],
    'A restored R2 takes the records that it lacks.',
    true,
  ],
  ['compare', ['pending'], 'active', ['R1', 'R1 as peer'], 'A restored R2 takes the records that it lacks.'],
  [
    'compare',
    ['active', 'pending'],
    'lost',
    ['R1', 'R1 as peer'],
    'A restored R2 lacks the share of an epoch that R1 signed.',
  ],
])

export const TRANSITIONS: readonly Transition[] = [...FRAME, ...AT_R1, ...AT_R2]

/** @param events events that one step combines */
export function findTransition(
  events: readonly string[],
  at: Transition['at'],
  from: State,
  to: State,
): Transition | undefined {
  return TRANSITIONS.find(
    row => events.includes(row.event) && row.at === at && row.from.includes(from) && row.to.includes(to),
  )
}
