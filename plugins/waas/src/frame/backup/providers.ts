/** Where an envelope goes. Here: `external`, a file that the person keeps; the host may keep it too. */
import { KeybayError } from '@keybay/kernel'
import { consentRequired } from '../../protocol/errors.js'
import type { BackupTarget } from '../../protocol/index.js'
import { providerUnavailable } from '../errors.js'
import type { Frame } from '../frame.js'
import { askFile } from '../screen/questions.js'
import { backupFile, checkEnvelope } from './envelope.js'

export interface BackupStep {
  readonly envelope: Uint8Array
  /** What it has to hold: the share set as bytes. */
  readonly set: Uint8Array
  readonly target: BackupTarget
  readonly password: string
  /** Whether the person got it before, and only the reading back is left. */
  readonly delivered: boolean
  readonly signal: AbortSignal
}

/** @throws KeybayError `frame_backup_provider` */
export const assertProvider = (target: BackupTarget | undefined): void => {
  if (target && target.provider !== 'external') throw new KeybayError(providerUnavailable)
}

/**
 * Hands the envelope out, gets it back, and checks it. Only then may anything depend on it.
 *
 * @throws KeybayError `consent_required` in a hidden frame once the file is delivered: the person chooses it again in the
 *   visible one; `frame_backup_wrong`, `user_rejected`
 */
export const backUp = async (frame: Frame, step: BackupStep): Promise<void> => {
  const { envelope, set, target, password, delivered, signal } = step
  const expected = { set, password, argon2id: frame.argon2id }
  if (target.envelope) return checkEnvelope(target.envelope, expected)
  if (!delivered) await frame.downloads.save(backupFile(envelope))
  if (!frame.screen.visible) throw new KeybayError(consentRequired)
  await askFile(frame.screen, {
    sentence: `The backup was downloaded as ${backupFile(envelope).name}. Keep it somewhere safe, then choose it here: it is checked before anything depends on it.`,
    again: () => frame.downloads.save(backupFile(envelope)),
    check: copy => checkEnvelope(copy, expected),
    signal,
  })
}
