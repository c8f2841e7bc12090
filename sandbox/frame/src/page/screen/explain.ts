/** Adds to an error what the user can do about it. */
import { KeybayError } from '@keybay/kernel/spec'

/** Advice by code, for errors whose message only says what is wrong. */
const ADVICE: Readonly<Record<string, string>> = {
  frame_backup_other: 'Choose the backup of this wallet.',
  frame_backup_wrong: 'Choose the newest one.',
  frame_password_wrong: 'Check it, and try again.',
  mpc_backup_malformed: 'Choose the file that you saved as your backup.',
  mpc_backup_unreadable: 'Check the password or recovery code, and try again.',
  mpc_key_halves_differ: 'Copy the whole key again.',
  mpc_key_malformed: 'Paste it as base58, or as the list of numbers of a key file.',
}

/** Returns the message, and the advice if there is one. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const advice = error instanceof KeybayError ? ADVICE[error.code] : undefined
  return advice === undefined ? error.message : `${error.message}. ${advice}`
}
