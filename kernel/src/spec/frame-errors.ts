/** Errors of the wallet frame and its messages (S8.4, S8.5). */
import type { ErrorSpec } from './errors.js'

export const iframeLoadFailed: ErrorSpec<'iframe_load_failed'> = {
  code: 'iframe_load_failed',
  message: 'Failed to load iframe after all retry attempts',
}

export const iframeLoadTimeout: ErrorSpec<'iframe_load_timeout'> = {
  code: 'iframe_load_timeout',
  message: 'Iframe load timeout due to no handshake message',
}

export const tokenExchangeFailed: ErrorSpec<'token_exchange_failed'> = {
  code: 'token_exchange_failed',
  message: 'Failed to establish secure token exchange',
}

export const messageHandlerMissing: ErrorSpec<'message_handler_missing'> = {
  code: 'message_handler_missing',
  message: 'Iframe message handler not initialized',
}

/** No acknowledgement within 5 s, and resending was not allowed or did not help. */
export const noHandlersRegistered: ErrorSpec<'no_handlers_registered'> = {
  code: 'no_handlers_registered',
  message: 'No handlers were registered for message of type {type}',
}
