/** Reasons for not signing: the rule and its facts. Everything here may be public. */

/** Rules that no policy and no consent overrides: the bytes are never signed. */
const FINAL_RULES = ['malformed', 'version', 'signer', 'lookup-table', 'message', 'raw-message'] as const
export type PolicyRule =
  | (typeof FINAL_RULES)[number]
  | 'consent'
  | 'origin'
  | 'expired'
  | 'sign-in'
  | 'program'
  | 'instruction'
  | 'destination'
  | 'transaction-limit'
  | 'daily-limit'
  | 'token'
  | 'token-limit'

export interface RefusalFacts {
  /** base58 */
  readonly program?: string
  /** First bytes of the instruction's data, hex. */
  readonly instruction?: string
  /** base58 */
  readonly address?: string
  /** Lamports, or smallest units of the token `address`, decimal. */
  readonly limit?: string
  readonly wanted?: string
  /** Decimals of the token `address`. */
  readonly decimals?: number
}

/** Error thrown inside the engine; {@link decide} turns it into a verdict. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly rule: PolicyRule
  readonly facts: RefusalFacts

  constructor(rule: PolicyRule, facts: RefusalFacts = {}) {
    super(`Refused by the rule ${rule}`)
    this.rule = rule
    this.facts = facts
  }

  /** Returns true when no policy and no consent could allow the bytes, which are then never signed. */
  get isFinal(): boolean {
    return FINAL_RULES.some(rule => rule === this.rule)
  }
}
