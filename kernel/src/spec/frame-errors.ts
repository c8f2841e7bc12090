/** The wallet frame and its messages (S8.4, S8.5). */
import { type ErrorSpec, errorSpec } from '../errors.js'

export const iframeLoadFailed: ErrorSpec<'iframe_load_failed'> = /* @__PURE__ */ errorSpec(
  'iframe_load_failed',
  'Failed to load iframe after all retry attempts',
)

export const iframeLoadTimeout: ErrorSpec<'iframe_load_timeout'> = /* @__PURE__ */ errorSpec(
  'iframe_load_timeout',
  'Iframe load timeout due to no handshake message',
)

export const tokenExchangeFailed: ErrorSpec<'token_exchange_failed'> = /* @__PURE__ */ errorSpec(
  'token_exchange_failed',
  'Failed to establish secure token exchange',
)

export const messageHandlerMissing: ErrorSpec<'message_handler_missing'> = /* @__PURE__ */ errorSpec(
  'message_handler_missing',
  'Iframe message handler not initialized',
)

/** No acknowledgement in 5 s, and resending was not allowed or did not help. */
export const noHandlersRegistered: ErrorSpec<'no_handlers_registered'> = /* @__PURE__ */ errorSpec(
  'no_handlers_registered',
  'No handlers were registered for message of type {type}',
)
