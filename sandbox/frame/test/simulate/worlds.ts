/** Worlds that once broke an invariant, as lists of steps. */
import type { Step } from './steps.js'

const create: Step = { do: 'create', device: 0, scheme: 'TWO_OF_THREE' }
const strangers: Step = { do: 'create', device: 2, scheme: 'TWO_OF_THREE' }
const delegate: Step = { do: 'delegate', device: 0 }
const revokeDelegate: Step = { do: 'revoke', device: 0, set: 1 }
/** Loses the request that commits a refresh, which is the fourth of its requests. */
const waitingRefresh: Step = { do: 'refresh', device: 0, faults: [{ on: 'network', at: 3, what: 'drop request' }] }

export const WORLDS: Readonly<Record<string, readonly Step[]>> = {
  'a delegate that the user revoked signs after the database of R1 is put back': [
    create,
    delegate,
    { do: 'accept' },
    { do: 'snapshot', party: 'R1' },
    revokeDelegate,
    { do: 'put back', party: 'R1' },
  ],
  'a device that the user replaced signs after the database of R1 is put back': [
    create,
    { do: 'snapshot', party: 'R1' },
    { do: 'restore', device: 1, mode: 'replace-device' },
    { do: 'put back', party: 'R1' },
  ],
  'R2 joins a wallet without its policy': [
    create,
    { do: 'policy', device: 0, limit: 5 },
    { do: 'reshare', device: 0, scheme: 'THREE_OF_FIVE' },
  ],
  'R2 returns to a wallet with the policy that it had before': [
    { do: 'create', device: 0, scheme: 'THREE_OF_FIVE' },
    { do: 'policy', device: 0, limit: 7 },
    { do: 'reshare', device: 0, scheme: 'TWO_OF_THREE' },
    { do: 'policy', device: 0, limit: 5 },
    { do: 'reshare', device: 0, scheme: 'THREE_OF_FIVE' },
  ],
  'the user cannot revoke a delegation before the delegate accepts it': [
    create,
    delegate,
    revokeDelegate,
    { do: 'accept' },
  ],
  'a stranger ends the refresh of a user by naming the same set': [
    create,
    strangers,
    waitingRefresh,
    { do: 'foreign begin', set: 0 },
  ],
  'a user erases a share that R1 lists as revoked, and the relays still answer it': [
    create,
    { do: 'forged list', device: 0, status: 'revoked', epochs: 1 },
    { do: 'revoke', device: 0, set: 0 },
  ],
  'R1 makes R2 enforce a looser policy than the user signed': [
    { do: 'create', device: 0, scheme: 'THREE_OF_FIVE' },
    { do: 'policy', device: 0, limit: 5 },
    { do: 'forged record', set: 0, what: 'looser' },
  ],
  'a restored R1 forgets the policy that the user signed': [
    { do: 'create', device: 0, scheme: 'THREE_OF_FIVE' },
    { do: 'snapshot', party: 'R1' },
    { do: 'policy', device: 0, limit: 5 },
    { do: 'put back', party: 'R1' },
  ],
  'a restored R2 has a share of a wallet that it left': [
    { do: 'create', device: 0, scheme: 'THREE_OF_FIVE' },
    { do: 'snapshot', party: 'R2' },
    { do: 'reshare', device: 0, scheme: 'TWO_OF_THREE' },
    { do: 'put back', party: 'R2' },
    { do: 'reshare', device: 0, scheme: 'THREE_OF_FIVE' },
  ],
  'a restored R2 forgets the policy that the user signed': [
    { do: 'create', device: 0, scheme: 'THREE_OF_FIVE' },
    { do: 'snapshot', party: 'R2' },
    { do: 'policy', device: 0, limit: 9 },
    { do: 'put back', party: 'R2' },
  ],
  'a lie of R1 that a set is revoked erases the share of a browser': [
    create,
    { do: 'forged list', device: 0, status: 'revoked', epochs: 0 },
  ],
  'an error that no relay signed erases the share that waits for its commit': [
    create,
    waitingRefresh,
    {
      do: 'refresh',
      device: 0,
      faults: [{ on: 'network', at: 1, what: 'lie', code: 'epoch_mismatch', moment: 'before' }],
    },
  ],
  'a user erases a share on a lie of R1, which then stops the wallet': [
    create,
    { do: 'forged list', device: 0, status: 'revoked', epochs: 0 },
    { do: 'revoke', device: 0, set: 0 },
    { do: 'forged record', set: 0, what: 'tighter' },
  ],
  'two dealings of one epoch count as two epochs': [
    create,
    { do: 'reshare', device: 0, scheme: 'TWO_OF_THREE', faults: [{ on: 'disk', at: 7, what: 'kill' }] },
    { do: 'reshare', device: 0, scheme: 'TWO_OF_TWO' },
  ],
  'a new device waits for a browser that waits for the new device': [
    { do: 'create', device: 0, scheme: 'THREE_OF_FIVE' },
    {
      do: 'sign',
      device: 0,
      faults: [{ on: 'network', at: 1, what: 'inner step', moment: 'before', step: { do: 'join', device: 1 } }],
    },
  ],
  'a record that anyone shows to R2 freezes a wallet that R2 has left': [
    { do: 'create', device: 0, scheme: 'THREE_OF_FIVE' },
    { do: 'reshare', device: 0, scheme: 'TWO_OF_THREE' },
    { do: 'refresh', device: 0 },
    { do: 'show record' },
    { do: 'reshare', device: 0, scheme: 'THREE_OF_FIVE' },
  ],
  'a relay compares itself for ever after the relays have got two histories of a wallet': [
    create,
    { do: 'forged record', set: 1, what: 'active' },
    { do: 'snapshot', party: 'R2' },
    {
      do: 'restore',
      device: 1,
      mode: 'replace-device',
      faults: [
        { on: 'network', at: 9, what: 'drop request' },
        {
          on: 'network',
          at: 11,
          what: 'inner step',
          moment: 'before',
          step: {
            do: 'policy',
            device: 0,
            limit: 9,
            faults: [
              { on: 'R1', at: 12, what: 'kill' },
              { on: 'network', at: 6, what: 'drop answer' },
            ],
          },
        },
      ],
    },
    { do: 'put back', party: 'R2' },
    { do: 'refresh', device: 0 },
  ],
  'the record of an earlier policy reaches R2 after a later policy': [
    { do: 'create', device: 0, scheme: 'THREE_OF_FIVE' },
    // R1 does not believe the answers of R2, whose clock is another.
    { do: 'clock', party: 'R1', minutes: 1 },
    { do: 'policy', device: 0, limit: 9 },
    { do: 'policy', device: 0, limit: 2 },
    { do: 'policy', device: 0, limit: 3 },
  ],
  'a ceremony that fails late overwrites the backup of the one that succeeded': [
    create,
    waitingRefresh,
    { do: 'restore', device: 1, mode: 'replace-device' },
    { do: 'refresh', device: 0 },
  ],
}
