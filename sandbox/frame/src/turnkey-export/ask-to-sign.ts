/** Asks the user about a signature that the page makes at custody, with the words of the wallet's window. */
import { toBase64 } from '@keybay/kernel/spec'
import type { ToSign } from '@keybay/turnkey/protocol'
import { readTypedData } from '@keybay/waas/evm'
import { parseMessage, parseTransaction, readMessage } from '@keybay/waas/relay-client'
import { describeMessage, describeTypedData } from '../page/chains/evm/describe.js'
import { describeTransaction } from '../page/chains/solana/describe.js'
import { showTransaction } from '../page/chains/solana/show-transaction.js'
import type { ShownTransaction } from '../page/core/chain-kit.js'
import { messageTitle, warnOfOthers } from '../page/core/sign-in.js'
import { type Child, element } from '../page/screen/dom.js'
import { actionCards, agree } from '../page/screen/questions.js'
import type { Screen } from '../page/screen/screen.js'
import type { recipientsIn } from '../page/store/share-store.js'

export interface Asking {
  readonly screen: Screen
  readonly hostOrigin: string
  /** Node that simulates transactions. Default: none. */
  readonly rpcUrl?: string | undefined
  /** Absent: the page named no user, and every recipient is new. */
  readonly user: string | undefined
  readonly recipients: ReturnType<typeof recipientsIn>
  readonly now: () => number
}

const TITLES = {
  message: ['Sign this message?', 'Sign these messages?'],
  transaction: ['Sign this transaction?', 'Sign these transactions?'],
  typedData: ['Sign this data?', 'Sign this data?'],
} as const

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function showUnreadable({ length }: Uint8Array): ShownTransaction {
  const lines = [{ label: 'Data', value: `${length} bytes` }]
  const content = actionCards([{ title: 'Something this wallet cannot read', lines, unclear: true }])
  return { content, paid: [] }
}

/** A message can have the bytes of a transaction, which a validator would accept. */
function showMessage(bytes: Uint8Array, address: string): readonly Child[] {
  const disguised = attempt(() => parseMessage(bytes))
  if (disguised) return actionCards(describeTransaction(disguised), ['This message is a transaction.'])
  const readable = readMessage(bytes, address)
  return readable ? [element('pre', { tabindex: '0' }, readable.text)] : actionCards(describeMessage(bytes))
}

async function show(
  { kind, address: wallet }: ToSign,
  bytes: Uint8Array,
  { screen, recipients, rpcUrl, user = '' }: Asking,
): Promise<ShownTransaction> {
  if (kind === 'message') return { content: showMessage(bytes, wallet), paid: [] }
  if (kind === 'typedData') {
    const data = attempt(() => readTypedData(new TextDecoder().decode(bytes)))
    return data ? { content: actionCards(describeTypedData(data)), paid: [] } : showUnreadable(bytes)
  }
  const transaction = attempt(() => parseTransaction(bytes))
  if (!transaction) return showUnreadable(bytes)
  const { parsed } = transaction
  const asking = {
    frame: { configuration: { rpcUrl }, screen, store: recipients },
    user,
    context: new AbortController(),
  }
  return showTransaction(asking, { encoded: toBase64(bytes), parsed, wallet })
}

/** @throws KeybayError `user_rejected` */
export async function askToSign(toSign: ToSign, asking: Asking): Promise<void> {
  const { kind, address, contents } = toSign
  const { screen, hostOrigin, user, recipients, now } = asking
  const shown = await Promise.all(contents.map(bytes => show(toSign, bytes, asking)))
  const [first, ...others] = contents
  const warnings = kind === 'typedData' ? [] : warnOfOthers({ hostOrigin }, address, contents)
  const isOne = kind === 'message' && first && others.length === 0
  const title = isOne ? messageTitle(first, warnings) : TITLES[kind][others.length > 0 ? 1 : 0]
  const content = [...warnings, ...shown.flatMap(part => part.content)]
  await agree(screen, { title, content, action: 'Sign' }, { address })
  if (user === undefined) return
  const paid = shown.flatMap(part => part.paid)
  // A signature is made, even if its recipients cannot be kept.
  await recipients.keepRecipients([user, address, 'SOL'], paid, now()).catch(() => undefined)
}
