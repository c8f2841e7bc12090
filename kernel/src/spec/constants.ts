/** Times, limits and fixed values from section 9 of the specification. */

/** S9.1 */
export const RECOVERY_SESSION_SECONDS = 1800
export const RECOVERY_CODE_VALIDITY_SECONDS = 900

/** S9.2 */
export const TRANSACTION_CONFIRMATION_TIMEOUT_MS = 60_000
export const FEE_LOOKUP_TRIES = 5

/** S9.3. -7 is ES256 in COSE's registry. */
export const PASSKEY_ALGORITHM_COSE = -7
export const PASSKEY_USER_VERIFICATION = 'discouraged'
export const PASSKEY_RESIDENT_KEY = 'preferred'
export const PASSKEY_CHALLENGE_BYTES = 32
export const PASSKEY_USER_ID_BYTES = 32
export const CUSTODY_PASSKEY_TIMEOUT_MS = 300_000
export const CUSTODY_PASSKEY_USER_VERIFICATION = 'preferred'

/** S9.4 */
export const IFRAME_LOAD_TIMEOUT_MS = 10_000
/** Maximum load timeout; the timeout doubles after each failure. */
export const IFRAME_LOAD_TIMEOUT_MOST_MS = 60_000
export const IFRAME_LOAD_RETRIES = 1
export const IFRAME_LOAD_RETRY_DELAY_MS = 1000
export const MESSAGE_ACKNOWLEDGEMENT_TIMEOUT_MS = 5000
export const POPUP_CLOSED_CHECK_MS = 2000
export const POPUP_WIDTH_PX = 500
export const POPUP_HEIGHT_PX = 600
export { VERSION_MISMATCH_CHECK_DELAY_MS } from './version-check.js'

/** S9.6: network ID. Testnet and devnet follow. */
export const SOLANA_MAINNET_ID = 101
export const SOL_DECIMALS = 9
export const LAMPORTS_PER_SOL = 1_000_000_000

/** S9.7 */
export const DEEP_LINK_NONCE_BYTES = 24
/** Delay between Solflare's connect and a sign message, in ms. */
export const SOLFLARE_SIGN_MESSAGE_DELAY_MS = 100

/** S5.3: 32 bytes as hex. */
export const RAW_MESSAGE_LENGTH_CHARACTERS = 64
/** S9.8: prefix of the names of embedded wallets. */
export const EMBEDDED_WALLET_NAME_PREFIX = 'turnkey'

/** S9.10 */
export const WEBSOCKET_RECONNECT_DELAY_MS = 1000
export const WEBSOCKET_RECONNECTS_MOST = 5
export const TRANSACTION_RECEIPT_WAIT_MS = 180_000
export const CHAIN_TRANSPORT_TIMEOUT_MS = 10_000
export const CHAIN_TRANSPORT_RETRIES = 3
/** Doubled with each retry. */
export const CHAIN_TRANSPORT_BACKOFF_MS = 150
