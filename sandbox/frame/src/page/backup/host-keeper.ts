/**
 * Keeps backups through functions of the page that embeds the frame. The frame sends its request as progress of the
 * running operation, and the page responds with a message.
 */
import { aborted, type Clock, KeybayError, sha256, toBase64Url } from '@keybay/kernel/spec'
import type { ExternalAnswer, ExternalName, ExternalQuestion, HandlerContext } from '@keybay/waas/protocol'
import { frameError } from '../errors/errors.js'
import { type BackupStore, type BackupWanted, backupName } from './store.js'

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

/** Names a backup by its shares, so that a ceremony that fails late never overwrites the backup of one that succeeded. */
async function nameOf({ walletId, epoch, set }: BackupWanted): Promise<ExternalName> {
  return { walletId, epoch, id: toBase64Url(await sha256(Uint8Array.from(set))) }
}

/** Place of `external` backups in the page's storage. It gets only the sealed envelope; the frame trusts no result. */
export function host(ask: AskHost): BackupStore {
  return {
    provider: 'external',
    async put(envelope) {
      const { accountAddress, fileName, ...wanted } = backupName(envelope)
      await ask({ action: 'save', ...(await nameOf(wanted)), accountAddress, fileName, envelope })
    },
    async read(wanted, check) {
      const name = await nameOf(wanted)
      const copy = await ask({ action: 'load', ...name })
      if (!copy) throw frameError('frame_backup_missing')
      return { id: name.id, value: await check(copy) }
    },
    async keepOnly(kept) {
      await ask({ action: 'erase', ...(await nameOf(kept)) })
    },
  }
}
