/** Prompts the user for the secret that seals a new backup or opens an existing one. */
import { type BackupSecret, readBackupHeader } from '@keybay/waas/mpc'
import type { BackupTarget } from '@keybay/waas/protocol'
import { frameError } from '../errors/errors.js'
import { LEAST_CHARACTERS } from '../screen/least-characters.js'
import type { About } from '../screen/questions.js'
import type { Screen } from '../screen/screen.js'
import { askForPasskey } from './ask-passkey.js'
import { askPassword } from './ask-password.js'
import { readRecoveryCode, unlockText } from './recovery-code.js'

/**
 * Returns true if the secret is strong enough for the target. The operator of the product API also has a relay's share
 * and could guess a password, so that target requires a recovery code of 128 bits or more, or a passkey. Other targets
 * accept any secret except a passkey, which would tie a file to a domain.
 */
function fits(secret: BackupSecret, target: BackupTarget | undefined): boolean {
  const isPasskey = typeof secret !== 'string'
  if (target?.provider !== 'dynamic') return !isPasskey
  return target.passkey ? isPasskey : !isPasskey && readRecoveryCode(secret) !== undefined
}

/** @throws KeybayError `frame_password_short`, as for a password that the user types */
export function assertLong(pageSecret: string): void {
  if (pageSecret.length < LEAST_CHARACTERS) throw frameError('frame_password_short')
}

/**
 * Rejects a page's secret that may not seal a new backup for the target.
 * @throws KeybayError `frame_backup_code_needed`, `frame_password_short`
 */
function assertFits(pageSecret: string, target: BackupTarget | undefined): void {
  if (!fits(pageSecret, target)) throw frameError('frame_backup_code_needed')
  assertLong(pageSecret)
}

/**
 * Prompts the user for the secret of a new envelope.
 * @throws KeybayError `consent_required` in a hidden frame; `user_rejected`
 */
export type AskNew = (target: BackupTarget | undefined, signal: AbortSignal) => Promise<BackupSecret>

/**
 * Returns the secret that seals a new backup: the request's, or one that the user chooses in the visible frame.
 * @throws KeybayError `consent_required`; `frame_password_short`; `frame_backup_code_needed` if only a recovery code or
 *   a passkey may seal
 */
export async function newSecret(
  ask: AskNew,
  target: BackupTarget | undefined,
  pageSecret: string | undefined,
  signal: AbortSignal,
): Promise<BackupSecret> {
  if (pageSecret === undefined || target?.passkey) return ask(target, signal)
  assertFits(pageSecret, target)
  return pageSecret
}

function getPlace({ provider, keeper, envelope }: BackupTarget): string {
  if (provider === 'googleDrive') return 'goes to your Google Drive'
  if (provider === 'icloud') return 'goes to your iCloud'
  if (provider === 'dynamic') return 'goes to the service'
  return keeper === 'host' && envelope === undefined ? 'goes to the page’s own storage' : 'goes into a file'
}

/**
 * Returns the sentence to agree to if the page chose the secret, because the page can then open the backup share.
 * @param pageSecret the secret from the page
 * @returns undefined if the user chooses the secret in the frame
 * @throws KeybayError as `newSecret`, before the user is asked
 */
export function chosenByPage(target: BackupTarget | undefined, pageSecret: string | undefined): string | undefined {
  if (pageSecret === undefined || target?.passkey) return undefined
  assertFits(pageSecret, target)
  const secret = target?.provider === 'dynamic' ? 'recovery code' : 'password'
  const place = target ? getPlace(target) : 'stays in this browser'
  return `The new backup ${place}, under a ${secret} that the page has chosen: the page can open it.`
}

/** Returns the secret of an envelope, or a new one if the place requires a stronger secret. */
export async function secretFor(ask: AskNew, target: BackupTarget, existing: BackupSecret, signal: AbortSignal) {
  return fits(existing, target)
    ? existing
    : newSecret(ask, target, target.password === undefined ? undefined : unlockText(target.password), signal)
}

/** Returns true if a passkey opens the envelope. @throws KeybayError `mpc_backup_malformed` */
export function isUnderPasskey(envelope: Uint8Array): boolean {
  return readBackupHeader(envelope).kdf.name === 'webauthn-prf'
}

/**
 * Prompts the user for the secret that opens an envelope.
 * @param about its `check` throws for a wrong secret; the prompt then stays open
 * @throws KeybayError `consent_required` in a hidden frame; `user_rejected`
 */
export async function askUnlock(
  screen: Screen,
  envelope: Uint8Array,
  about: About & { readonly check?: ((secret: BackupSecret) => Promise<unknown>) | undefined },
): Promise<BackupSecret> {
  const { kdf } = readBackupHeader(envelope)
  return kdf.name === 'webauthn-prf' ? askForPasskey(screen, kdf, about) : askPassword(screen, about)
}
