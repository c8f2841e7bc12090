/** Errors of the key-custody client (S8.7). Plain objects, so lazy chunks can import them without kernel code. */
import type { ErrorSpec } from './errors.js'

export const custodyBaseUrlMissing: ErrorSpec<'custody_base_url_missing'> = {
  code: 'custody_base_url_missing',
  message: 'Missing base URL. Please verify env vars.',
  walletCode: 5,
}

/** Response with an error status: `details` holds its code, message and details, `status` its HTTP status. */
export const custodyRequestFailed: ErrorSpec<'custody_request_failed'> = {
  code: 'custody_request_failed',
  message: 'The key-custody service refused the request',
}

export const custodyConsensusNeeded: ErrorSpec<'custody_consensus_needed'> = {
  code: 'custody_consensus_needed',
  message: 'Activity requires consensus',
}

export const custodyStatusUnexpected: ErrorSpec<'custody_status_unexpected'> = {
  code: 'custody_status_unexpected',
  message: 'Expected COMPLETED status, got {status}',
}
