/** Steps of a simulated world, as data: a world replays from its list of steps, and a shorter list is a world too. */
import type { RelayErrorCode } from '@keybay/sandbox-relay/testing/error-list'

export type Scheme = 'TWO_OF_TWO' | 'TWO_OF_THREE' | 'THREE_OF_FIVE'
/** Fault of one adapter call of a step. Calls are counted from 0 for each kind of adapter. */
export type Fault = NetworkFault | CrashFault | LieFault | InnerFault
interface NetworkFault {
  readonly on: 'network'
  readonly at: number
  /** `late`: the sender gets an error now, and the request arrives at a later step. */
  readonly what: 'drop request' | 'drop answer' | 'deliver twice' | 'late' | 'kill sender' | 'kill receiver'
}
/** The party dies before this call of its storage. */
interface CrashFault {
  readonly on: 'R1' | 'R2' | 'disk'
  readonly at: number
  readonly what: 'kill'
}
/** R1 answers an unsigned error, instead of doing the request or after it. */
interface LieFault {
  readonly on: 'network'
  readonly at: number
  readonly what: 'lie'
  readonly code: RelayErrorCode
  readonly moment: 'before' | 'after'
}
/** Other parties run a whole step while this request or its answer is on its way. */
interface InnerFault {
  readonly on: 'network'
  readonly at: number
  readonly what: 'inner step'
  readonly moment: 'before' | 'after'
  readonly step: Step
}

export interface Faulty {
  readonly faults?: readonly Fault[]
}
export type Step = Action & Faulty
/** `looser`, `tighter`: another policy than the user signed. */
export type Forgery = 'revoked' | 'active' | 'next epoch' | 'looser' | 'tighter' | 'older'
/** `device`: 0 and 1 are browsers of the user, 2 is the browser of another user. */
export type Action =
  | { readonly do: 'create'; readonly device: number; readonly scheme: Scheme }
  | { readonly do: 'list' | 'sign' | 'refresh' | 'join' | 'delegate' | 'backup'; readonly device: number }
  | { readonly do: 'reshare'; readonly device: number; readonly scheme: Scheme }
  | { readonly do: 'restore'; readonly device: number; readonly mode: 'add-device' | 'replace-device' }
  /** `set`: index in all sets that the user has seen, delegations that wait included. */
  | { readonly do: 'revoke'; readonly device: number; readonly set: number }
  | { readonly do: 'policy'; readonly device: number; readonly limit: number }
  | { readonly do: 'accept' | 'delegate signs' | 'deliver late' | 'sweep' }
  /** Another user begins a ceremony of their own wallet under a set ID of the user. */
  | { readonly do: 'foreign begin'; readonly set: number }
  /** Anyone shows R2 the newest record of R1. */
  | { readonly do: 'show record' }
  /** R1 lists every set with a record that it signed, of another status or epoch. */
  | {
      readonly do: 'forged list'
      readonly device: number
      readonly status: 'active' | 'revoked'
      readonly epochs: number
    }
  /** R1 signs another record of a set, or takes an older one, and delivers it to R2. */
  | { readonly do: 'forged record'; readonly set: number; readonly what: Forgery }
  | { readonly do: 'kill' | 'snapshot' | 'put back'; readonly party: 'R1' | 'R2' }
  | { readonly do: 'clock'; readonly party: 'R1' | 'R2' | 'device'; readonly minutes: number }

export function describeStep({ do: name, faults = [], ...facts }: Step): string {
  return [name, ...Object.values(facts), ...faults.map(fault => JSON.stringify(fault))].join(' ')
}
