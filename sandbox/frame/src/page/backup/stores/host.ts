/** `external`, kept by the page's own functions: they get what is sealed and nothing else, and nothing that they say is believed. */
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
