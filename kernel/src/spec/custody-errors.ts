/** Errors of the key-custody client (S8.7). Plain objects, so lazy chunks can import them without kernel code. */
export const custodyBaseUrlMissing = {
  code: 'custody_base_url_missing',
  message: 'Missing base URL. Please verify env vars.',
  walletCode: 5,
} as const
/** Response with an error status: `details` holds its code, message and details, `status` its HTTP status. */
export const custodyRequestFailed = {
  code: 'custody_request_failed',
  message: 'The key-custody service refused the request',
} as const
export const custodyConsensusNeeded = {
  code: 'custody_consensus_needed',
  message: 'Activity requires consensus',
} as const
export const custodyStatusUnexpected = {
  code: 'custody_status_unexpected',
  message: 'Expected COMPLETED status, got {status}',
} as const
