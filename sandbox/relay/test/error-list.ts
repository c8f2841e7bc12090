/** Error codes of the relay, for tests of other packages. */
export { RELAY_ERROR_CODES, type RelayErrorCode, statusOf } from '../src/http/errors.js'
