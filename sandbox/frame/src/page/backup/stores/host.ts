/** `external`, kept by the page's own functions. They get only the sealed envelope; the frame trusts no result. */
import { KeybayError } from '@keybay/kernel/spec'
import { backupMissing } from '../../errors/errors.js'
import type { AskHost } from '../host-keeper.js'
import { type BackupStore, backupName } from '../store.js'

export function host(ask: AskHost): BackupStore {
  return {
    provider: 'external',
    async put(envelope) {
      await ask({ action: 'save', ...backupName(envelope), envelope })
    },
    async read(wanted, check) {
      const copy = await ask({ action: 'load', ...wanted })
      if (!copy) throw new KeybayError(backupMissing)
      return { id: String(wanted.epoch), value: await check(copy) }
    },
    async keepOnly(wanted) {
      await ask({ action: 'erase', ...wanted })
    },
  }
}
