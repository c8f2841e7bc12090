/** Error messages of this app: what happened and what to do. */
import { isKeybayError, type KeybayError } from '@keybay/kernel'

const advice: Readonly<Record<string, string>> = {
  wallet_locked: 'Unlock your wallet and try again.',
  connect_timeout: 'The wallet did not answer. Open it, look for a waiting request, and try again.',
  aborted: 'It was stopped before it was done.',
  rpc_unreachable: 'Check that the chain runs and try again.',
  rpc_url_invalid: 'Write it whole: https://… or, for a node on this machine, http://localhost:…',
  rpc_wrong_network: 'Choose its network first, or write the address of another node.',
  insufficient_funds: 'Send less, or get more first.',
  gas_not_sponsored: 'Pay the network fee yourself, or try again tomorrow.',
  destination_needs_rent: 'Send at least 0.00089088 SOL.',
  transaction_timed_out: 'It may still arrive: look at it in the explorer before you send again.',
  sign_message_missing: 'Choose another wallet for this.',
  frame_relay_unreachable: 'Nothing was done. Try again in a moment.',
  frame_share_elsewhere: 'Sign where it is, or let this browser in on the wallet’s security page.',
  set_revoked: 'To sign here again, let this browser in on the wallet’s security page.',
  frame_share_replaced: 'Restore the wallet on its security page, or add this browser from another device.',
  psbt_invalid: 'Nothing was signed. Ask the program that made it for one that says what each input spends.',
  evm_invalid: 'Nothing was signed. Check what the other app asks for.',
  frame_join_missing: 'Ask for it on the other device first.',
  frame_backup_other_drive: 'Choose the account that you sign in with, or add the other one to your account first.',
  frame_backup_old: 'Look for the newest one: each change of the parts makes a new one.',
  frame_password_limited: 'Wait a little, then try again.',
  frame_device_here: 'Make new parts on the security page.',
  mpc_backup_unreadable: 'Check the password, and try again.',
  mpc_backup_malformed: 'Choose the file that you stored when you made the backup.',
  frame_storage_unavailable:
    'A private window, or a setting that blocks third-party cookies and site data, is the usual cause. Leave the private window, or allow site data for this page in your browser’s settings.',
  frame_passkey_elsewhere: 'Restore where the wallet’s window has the address that the backup was made at.',
  frame_backup_host: 'Try again, or choose another place.',
  iframe_load_failed: 'Check your connection and try again.',
  request_failed: 'The service does not answer. Check your connection and try again.',
  wrong_email_verification_token: 'Check the digits, or send a new code.',
  wrong_sms_verification_token: 'Check the digits, or send a new code.',
  mfa_invalid_code: 'Check it, wait for the next one, or use another way.',
  too_many_verification_attempts: 'Wait a few minutes, then begin again.',
  invalid_passkey: 'Try another passkey, or sign in another way.',
  invalid_phone: 'Write it with its country code, for example +41 79 123 45 67.',
  invalid_external_token: 'Ask the host for a new one.',
  merge_accounts_invalid: 'Sign in to the other account and unlink it there, then add it here.',
  oauth_window_blocked: 'Your browser asks for it at its address bar.',
  oauth_window_timeout: 'Try again, and finish in the window.',
  oauth_window_closed: 'Try again.',
  oauth_error: 'Try again, or choose another way.',
  session_timeout: 'Try again.',
  verification_error: 'Try again in a few minutes, or choose another way.',
  signin_error: 'The provider may be down: try again in a moment, or choose another way.',
  provider_not_enabled: 'Choose another way.',
  unlink_error: 'Add another way to sign in first, then try again.',
  apple_sdk_failed: 'Check your connection and try again.',
  recovery_code_invalid: 'Copy the whole code, in the tab that asked for it, or send a new one.',
  custody_unreachable: 'Nothing was signed. Check your connection and try again.',
  custody_unavailable: 'Try again in a moment.',
  custody_unfinished: 'Look at the latest activities before you try again.',
  custody_consensus_needed: 'Another approver has to confirm it first.',
  email_recovery_disabled: 'Use another of your passkeys.',
  export_bundle_invalid: 'Nothing was shown. Reload the page and try again.',
  webauthn_unsupported: 'Use a browser with passkeys.',
  passkey_exists: 'Sign in with that one.',
}
/** Returns true for API errors that have a reason: their message already says what to do. */
function saysWhatToDo({ code, details }: KeybayError): boolean {
  return code === 'merge_accounts_invalid' && typeof details === 'object' && details !== null && 'reason' in details
}

/** Returns the retry delay that some services send, in seconds. */
function retryAfter({ details }: KeybayError): string | undefined {
  const seconds = typeof details === 'object' && details !== null && 'retryAfter' in details ? details.retryAfter : 0
  if (typeof seconds !== 'number' || seconds <= 0) return undefined
  return `You can try again in ${seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`
}

/** Checks whether the user refused a request or a message (wallet error numbers 2 and 3), whatever the code. */
function isRefusal({ walletCode }: KeybayError): boolean {
  return walletCode === 2 || walletCode === 3
}

/** Returns the error's own message, with advice where there is some. */
export function explain(error: unknown): string {
  if (isKeybayError(error) && isRefusal(error))
    return error.code === 'oauth_error'
      ? 'You cancelled at the provider. Try again, or choose another way.'
      : 'You declined, or closed the window. Try again when you are ready.'
  if (!isKeybayError(error)) return error instanceof Error ? error.message : String(error)
  // Browsers word it differently; each message means that a file of this page failed to load.
  if (/dynamically import|importing a module/i.test(error.message))
    return 'A part of this page could not be loaded. Check your connection and try again.'
  const more = retryAfter(error) ?? (saysWhatToDo(error) ? undefined : advice[error.code])
  const message = /[.!?]$/.test(error.message) ? error.message : `${error.message}.`
  return more ? `${message} ${more}` : message
}
