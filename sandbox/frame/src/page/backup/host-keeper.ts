/**
 * Keeps backups through functions of the page that embeds the frame. The frame sends its request as progress of the
 * running operation, and the page responds with a message.
 */
import { aborted, type Clock, KeybayError } from '@keybay/kernel/spec'
import type { ExternalAnswer, ExternalQuestion, HandlerContext } from '@keybay/waas/protocol'
import { frameError } from '../errors/errors.js'
import { type BackupStore, backupName } from './store.js'

/** Time that the page's function may take, in ms. The host's storage may be slow to reach. */
const TIMEOUT_MS = 60_000

/** @throws KeybayError `frame_backup_host` if the page's function fails or times out; `aborted` */
export type AskHost = (question: Omit<ExternalQuestion, 'request'>) => Promise<Uint8Array | undefined>

export function createHostKeeper(clock: Clock) {
  const waiting = new Map<string, (given: ExternalAnswer | undefined) => void>()
  return {
    of:
      ({ signal, progress }: HandlerContext): AskHost =>
      question =>
        new Promise((resolve, reject) => {
          const request = crypto.randomUUID()
          const end = (settle: () => void) => {
            waiting.delete(request)
            stop()
            signal.removeEventListener('abort', leave)
            settle()
          }
          const leave = () => end(() => reject(new KeybayError(aborted)))
          const take = (response: ExternalAnswer | undefined) =>
            end(() =>
              response && !response.failed ? resolve(response.envelope) : reject(frameError('frame_backup_host')),
            )
          const stop = clock.after(TIMEOUT_MS, () => take(undefined))
          waiting.set(request, take)
          signal.addEventListener('abort', leave)
          if (signal.aborted) leave()
          else progress({ step: 'external', number: 1, of: 1, external: { request, ...question } })
        }),
    /** Delivers a response of the page. Ignores responses to requests that are not pending. */
    answer(response: ExternalAnswer): void {
      waiting.get(response.request)?.(response)
    },
  }
}

/** Place of `external` backups in the page's storage. It gets only the sealed envelope; the frame trusts no result. */
export function host(ask: AskHost): BackupStore {
  return {
    provider: 'external',
    async put(envelope) {
      await ask({ action: 'save', ...backupName(envelope), envelope })
    },
    async read(backupRef, check) {
      const copy = await ask({ action: 'load', ...backupRef })
      if (!copy) throw frameError('frame_backup_missing')
      return { id: String(backupRef.epoch), value: await check(copy) }
    },
    async keepOnly({ walletId, epoch }) {
      await ask({ action: 'erase', walletId, epoch })
    },
  }
}
