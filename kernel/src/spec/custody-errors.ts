/** The key-custody client (S8.7). */
import { type ErrorSpec, errorSpec } from '../errors.js'

export const custodyBaseUrlMissing: ErrorSpec<'custody_base_url_missing'> = /* @__PURE__ */ errorSpec(
  'custody_base_url_missing',
  'Missing base URL. Please verify env vars.',
  5,
)

/** A response that is not ok: its code, message and details are in `details`, its status in `status`. */
export const custodyRequestFailed: ErrorSpec<'custody_request_failed'> = /* @__PURE__ */ errorSpec(
  'custody_request_failed',
  'The key-custody service refused the request',
)

export const custodyConsensusNeeded: ErrorSpec<'custody_consensus_needed'> = /* @__PURE__ */ errorSpec(
  'custody_consensus_needed',
  'Activity requires consensus',
)

export const custodyStatusUnexpected: ErrorSpec<'custody_status_unexpected'> = /* @__PURE__ */ errorSpec(
  'custody_status_unexpected',
  'Expected COMPLETED status, got {status}',
)
