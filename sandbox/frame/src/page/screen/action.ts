/** Decoded transaction or message, as a consent screen shows it. */

export interface Line {
  readonly label: string
  readonly value: string
  /** True for an address, which is shown whole and unbroken. */
  readonly address?: boolean
}
/** Effect of the transaction. */
export interface Action {
  readonly title: string
  readonly lines: readonly Line[]
  /** True if the action may do more than its bytes show. */
  readonly unclear?: boolean
}
