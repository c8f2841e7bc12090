/** Asks for the secret that seals a new backup or opens an existing one. */
import { KeybayError } from '@keybay/kernel/spec'
import { type BackupSecret, readBackupHeader } from '@keybay/waas/mpc'
import type { BackupTarget } from '@keybay/waas/protocol'
import { codeNeeded } from '../errors/errors.js'
import type { About } from '../screen/questions.js'
import type { Screen } from '../screen/screen.js'
import { askBackupPasskey, askForPasskey } from './ask-passkey.js'
import { askPassword } from './ask-password.js'
import { askBackupSecret, giveRecoveryCode } from './ask-secret.js'
import { readRecoveryCode, unlockText } from './recovery-code.js'

/**
 * The operator of the product API has a relay's share too, and could guess a password: there it is a recovery code of 128
 * bits or more, or a passkey. Elsewhere it is whatever the user takes, but no passkey, which would tie a file to a domain.
 */
function fits(secret: BackupSecret, target: BackupTarget | undefined): boolean {
  const isPasskey = typeof secret !== 'string'
  if (target?.provider !== 'dynamic') return !isPasskey
  return target.passkey ? isPasskey : !isPasskey && readRecoveryCode(secret) !== undefined
}

/**
 * Asks for a secret for a new envelope.
 *
 * @throws KeybayError `consent_required` in a hidden frame; `user_rejected`
 */
async function askNew(screen: Screen, target: BackupTarget | undefined, signal: AbortSignal): Promise<BackupSecret> {
  if (target?.provider !== 'dynamic') return askBackupSecret(screen, signal)
  const passkey = target.passkey ? await askBackupPasskey(screen, signal) : undefined
  return passkey ?? giveRecoveryCode(screen, signal)
}

/**
 * Under what a new backup is sealed: what came with the request, or what the user chooses in the visible frame.
 *
 * @throws KeybayError `consent_required`; `frame_backup_code_needed` where only a recovery code or a passkey may seal
 */
export async function newSecret(
  screen: Screen,
  target: BackupTarget | undefined,
  given: string | undefined,
  signal: AbortSignal,
): Promise<BackupSecret> {
  if (given === undefined || target?.passkey) return askNew(screen, target, signal)
  if (!fits(given, target)) throw new KeybayError(codeNeeded)
  return given
}

/** Describes the target of a backup to the user. */
function placeOf({ provider, keeper, envelope }: BackupTarget): string {
  if (provider === 'googleDrive') return 'goes to your Google Drive'
  if (provider === 'icloud') return 'goes to your iCloud'
  if (provider === 'dynamic') return 'goes to the service'
  return keeper === 'host' && envelope === undefined ? 'goes to the page’s own storage' : 'goes into a file'
}

/**
 * What a user has to agree to where the page brings what seals a new backup: it opens it then, and has that part of the key.
 *
 * @param given what the page brought
 * @returns undefined where the user makes it here
 * @throws KeybayError as `newSecret`, before the user is asked
 */
export function chosenByPage(target: BackupTarget | undefined, given: string | undefined): string | undefined {
  if (given === undefined || target?.passkey) return undefined
  if (!fits(given, target)) throw new KeybayError(codeNeeded)
  const secret = target?.provider === 'dynamic' ? 'recovery code' : 'password'
  const place = target ? placeOf(target) : 'stays in this browser'
  return `The new backup ${place}, under a ${secret} that the page has chosen: the page can open it.`
}

/** The secret that an envelope has, or another one where that may not seal what goes to this place. */
export async function secretFor(
  screen: Screen,
  target: BackupTarget,
  existing: BackupSecret,
  signal: AbortSignal,
): Promise<BackupSecret> {
  return fits(existing, target)
    ? existing
    : newSecret(screen, target, target.password === undefined ? undefined : unlockText(target.password), signal)
}

/** Whether a passkey opens it. @throws KeybayError `mpc_backup_malformed` */
export function isUnderPasskey(envelope: Uint8Array): boolean {
  return readBackupHeader(envelope).kdf.name === 'webauthn-prf'
}

/**
 * What opens an envelope, asked of the user.
 *
 * @param about `check` throws for a wrong one: the question stays
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
