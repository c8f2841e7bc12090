/**
 * Backups that the page keeps itself, by two functions of its own. They get a sealed envelope and what it is called; what they
 * bring back is opened and compared by the frame before anything depends on it.
 */
import type { Logger } from '@keybay/kernel'
import type { WaasMessages } from '../protocol/messages.js'
import type { Sender } from '../protocol/spec.js'
import type { BackupTarget, ExternalAbout, ExternalName, ExternalQuestion } from '../protocol/wallet.js'

export interface ExternalBackup {
  /**
   * Keeps a sealed envelope, durably once it resolves. Keep it beside those of other epochs: the older one counts until the
   * wallet's window has read this one back and the change is made.
   */
  save(envelope: Uint8Array, about: ExternalAbout): Promise<void>
  /** What was kept for this wallet and epoch; undefined: nothing. */
  load(about: ExternalName): Promise<Uint8Array | undefined>
  /** The wallet's backups of other epochs restore nothing any more. Optional: what is left does no harm. */
  erase?(about: ExternalName): Promise<void>
}

/** A request whose backup goes to the page, if the page has not said otherwise. */
export function keptByHost(request: object, external: ExternalBackup | undefined): object {
  const backup: BackupTarget | undefined = Reflect.get(request, 'backup')
  const isOpen = backup?.provider === 'external' && backup.keeper === undefined && backup.envelope === undefined
  return external && isOpen ? { backup: { ...backup, keeper: 'host' } } : {}
}

async function run(
  external: ExternalBackup,
  { action, walletId, epoch, accountAddress = '', fileName = '', envelope }: ExternalQuestion,
): Promise<{ readonly envelope?: Uint8Array }> {
  const name = { walletId, epoch }
  if (action === 'load') {
    const found: unknown = await external.load(name)
    if (found === undefined) return {}
    if (!(found instanceof Uint8Array)) throw new TypeError('external.load has to bring bytes')
    return { envelope: Uint8Array.from(found) }
  }
  if (action === 'erase') await external.erase?.(name)
  else if (envelope) await external.save(envelope, { ...name, accountAddress, fileName })
  return {}
}

/** Does what the frame asks for, and tells it. What the page's function throws is logged here, and the frame says that it failed. */
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
    // The operation that waits may be over.
    await answer({ failed: true }).catch(() => {})
  }
}
