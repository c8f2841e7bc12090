/** Errors of the wallet frame and its messages (S8.4, S8.5). */
export const iframeLoadFailed = {
  code: 'iframe_load_failed',
  message: 'Failed to load iframe after all retry attempts',
} as const
export const iframeLoadTimeout = {
  code: 'iframe_load_timeout',
  message: 'Iframe load timeout due to no handshake message',
} as const
export const tokenExchangeFailed = {
  code: 'token_exchange_failed',
  message: 'Failed to establish secure token exchange',
} as const
export const messageHandlerMissing = {
  code: 'message_handler_missing',
  message: 'Iframe message handler not initialized',
} as const
/** No acknowledgement within 5 s, and resending was not allowed or did not help. */
export const noHandlersRegistered = {
  code: 'no_handlers_registered',
  message: 'No handlers were registered for message of type {type}',
} as const
