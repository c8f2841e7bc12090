export type MessageKind = 'mail' | 'sms'

/** Mail or SMS that the inbox stores. */
export interface Message {
  readonly id: string
  readonly kind: MessageKind
  /** Addresses in lower case, or phone numbers. */
  readonly to: readonly string[]
  readonly from: string
  /** Empty for an SMS. */
  readonly subject: string
  readonly text: string
  /** A mail's HTML, exactly as it came: never put it into a page without a sandbox. */
  readonly html?: string
  /** Time of arrival, ISO 8601. */
  readonly receivedAt: string
}

/** A message as it arrives, before it has an id and a time. */
export type Arrival = Omit<Message, 'id' | 'receivedAt'>

/** Returns a mail address in lower case, or a phone number without separators between its digits. */
export function normalizeRecipient(recipient: string): string {
  const trimmed = recipient.trim().toLowerCase()
  return /^\+?[\d\s().-]+$/.test(trimmed) ? trimmed.replace(/[^\d+]/g, '') : trimmed
}
