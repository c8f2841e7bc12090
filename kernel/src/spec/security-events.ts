/**
 * Events in a user's security log: what the product API records, and what a kit shows.
 *
 * @example
 * for (const { kind, at } of page.events) console.log(kind, new Date(at))
 */
export const SECURITY_EVENT_KINDS = [
  'new-device',
  'credential-added',
  'credential-removed',
  'factor-added',
  'factor-removed',
  'recovery-codes-renewed',
  'sessions-ended',
  'session-reused',
  'wallet-exported',
  'backup-read',
  'backup-removed',
  'frame-key-added',
  'accounts-merged',
  'deletion-scheduled',
  'deletion-cancelled',
  'data-exported',
  'blocked',
  'unblocked',
] as const
export type SecurityEventKind = (typeof SECURITY_EVENT_KINDS)[number]
