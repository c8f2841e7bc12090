/** Backups in the app's own storage, as sealed envelopes. The frame opens and compares every envelope it gets back. */
import type { Logger } from '@keybay/kernel'
import type { WaasMessages } from '../protocol/messages.js'
import type { Sender } from '../protocol/spec.js'
import type { BackupTarget, ExternalAbout, ExternalName, ExternalQuestion } from '../protocol/wallet.js'

export interface ExternalBackup {
  /** Stores a sealed envelope durably under `about.id`. Keep the others: an older one counts until this one is committed. */
  save(envelope: Uint8Array, about: ExternalAbout): Promise<void>
  load(about: ExternalName): Promise<Uint8Array | undefined>
  /** Called when the wallet's backups of older epochs restore nothing any more. Optional: leftovers do no harm. */
  erase?(about: ExternalName): Promise<void>
}

/** Marks a backup to `external` for the app's storage, unless the request names a file or brings an envelope. */
export function keptByHost(request: object, external: ExternalBackup | undefined): object {
  const backup: BackupTarget | undefined = Reflect.get(request, 'backup')
  const isOpen = backup?.provider === 'external' && backup.keeper === undefined && backup.envelope === undefined
  return external && isOpen ? { backup: { ...backup, keeper: 'host' } } : {}
}

async function run(
  external: ExternalBackup,
  { action, walletId, epoch, id, accountAddress = '', fileName = '', envelope }: ExternalQuestion,
): Promise<{ readonly envelope?: Uint8Array }> {
  const name = { walletId, epoch, id }
  if (action === 'load') {
    const loaded: unknown = await external.load(name)
    if (loaded === undefined) return {}
    if (!(loaded instanceof Uint8Array)) throw new TypeError('external.load has to bring bytes')
    return { envelope: Uint8Array.from(loaded) }
  }
  if (action === 'erase') await external.erase?.(name)
  else if (envelope) await external.save(envelope, { ...name, accountAddress, fileName })
  return {}
}

/** Runs a request of the frame in the app's storage. Logs what the app's function throws. */
export async function serveExternal(
  sender: Sender<WaasMessages>,
  external: ExternalBackup | undefined,
  question: ExternalQuestion,
  logger: Logger,
): Promise<void> {
  const answer = (said: { readonly envelope?: Uint8Array; readonly failed?: boolean }) =>
    sender.send('externalBackup', { chainName: 'SOL', request: question.request, ...said })
  try {
    if (!external) throw new TypeError('This page keeps no backups: there is no waas({ external })')
    await answer(await run(external, question))
  } catch (error) {
    logger.warn('waas external backup', error)
    // The operation may have ended.
    await answer({ failed: true }).catch(() => {})
  }
}
