/** Error codes of the relay, for tests of other packages. */
export { getStatus, RELAY_ERROR_CODES, type RelayErrorCode } from '../src/http/errors.js'
