/** A decoded transaction or message, as a question shows it. */

export interface Line {
  readonly label: string
  readonly value: string
  /** An address, to be shown whole and unbroken. */
  readonly address?: boolean
}
/** One thing that the transaction does. */
export interface Action {
  readonly title: string
  readonly lines: readonly Line[]
  /** It may do more than can be told from its bytes. */
  readonly unclear?: boolean
}
