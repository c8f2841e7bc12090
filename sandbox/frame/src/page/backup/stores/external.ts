/** `external`: a file that the user keeps, and chooses again so that the frame can check it. */
import { KeybayError } from '@keybay/kernel/spec'
import { consentRequired } from '@keybay/waas/protocol'
import { askFile } from '../../screen/questions.js'
import type { Screen } from '../../screen/screen.js'
import type { Downloads } from '../downloads.js'
import { type BackupStore, backupName } from '../store.js'

export interface External {
  readonly screen: Screen
  readonly downloads: Downloads
  /** Envelope from the host's own storage instead of a file. */
  readonly given?: Uint8Array | undefined
  readonly signal: AbortSignal
}
const ID = 'file'

export function external({ screen, downloads, given, signal }: External): BackupStore {
  let saved: Uint8Array | undefined
  const save = async (envelope: Uint8Array) => {
    await downloads.save({ name: backupName(envelope).fileName, bytes: envelope })
  }
  return {
    provider: 'external',
    async put(envelope) {
      saved = envelope
      if (given === undefined) await save(envelope)
    },
    async read(_wanted, check) {
      if (given !== undefined) return { id: ID, value: await check(given) }
      // Only the user can choose a file, which requires a visible frame.
      if (!screen.visible) throw new KeybayError(consentRequired)
      const envelope = saved
      const value = await askFile(screen, {
        sentence: envelope
          ? `The backup was downloaded as ${backupName(envelope).fileName}. Keep it somewhere safe, then choose it here: it is checked before anything depends on it.`
          : 'Choose the newest backup file of this wallet.',
        again: envelope && (() => save(envelope)),
        check,
        signal,
      })
      return { id: ID, value }
    },
    // Only the user can delete their own files.
    keepOnly: async () => {},
  }
}
