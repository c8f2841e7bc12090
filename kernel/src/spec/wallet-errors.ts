/** Codes that only chunks raise that load later: the API's clients and the adapters of wallets. */
import { type ErrorSpec, errorSpec } from './keybay-error.js'

export const featureMissing: ErrorSpec = /* @__PURE__ */ errorSpec('feature_missing', 'Not implemented by wallet')
export const requestFailed: ErrorSpec = /* @__PURE__ */ errorSpec('request_failed', 'Cannot proceed with your request')
