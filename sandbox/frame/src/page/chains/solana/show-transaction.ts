/** Shows a transaction: what its bytes say, and beside that what the environment's node says about it. */
import type { HandlerContext } from '@keybay/waas/protocol'
import type { FrameConfiguration } from '../../../configuration/frame.js'
import type { ShownTransaction, TransactionToShow } from '../../core/chain-kit.js'
import type { Child } from '../../screen/dom.js'
import { type Action, actionCards, type Line } from '../../screen/questions.js'
import type { Screen } from '../../screen/screen.js'
import type { ShareStore } from '../../store/share-store.js'
import type { Change } from './changes.js'
import { describeTransaction } from './describe.js'
import { describeCosts } from './describe-costs.js'
import { listDestinations } from './destinations.js'
import { listPaid } from './paid.js'
import { getPreview, type Preview } from './preview.js'
import { findFalseOwners, findRecipients, type Recipients } from './recipients.js'

/** Statements of a node about a transaction. */
export interface Seen extends Preview {
  /** Host of the node. */
  readonly host: string
  readonly recipients: Recipients | undefined
}

function changeLines({ arrives, amount, mint }: Change): readonly Line[] {
  return [
    { label: arrives ? 'Arrives' : 'Leaves', value: amount },
    ...(mint === undefined ? [] : [{ label: 'Token', value: mint, address: true }]),
  ]
}

function describeChanges({ changes, host }: Seen, usesLookupTables: boolean): Action {
  const lines = changes.flatMap(changeLines)
  return {
    title: 'Estimated changes',
    lines: [
      ...(lines.length > 0 ? lines : [{ label: 'Your balances', value: 'No change' }]),
      ...(usesLookupTables ? [{ label: 'Left out', value: 'Accounts of lookup tables' }] : []),
      { label: 'Simulated by', value: host },
    ],
  }
}

const UNKNOWN = 'The wallet couldn’t simulate this transaction.'

function warn({ outcome, network, recipients, isPoor }: Seen): readonly string[] {
  const fails = `This transaction would fail${isPoor ? ': the wallet has too little SOL' : ''}.`
  return [
    ...(outcome === 'fails' ? [fails] : []),
    ...(outcome === 'unknown' ? [UNKNOWN] : []),
    ...(outcome === 'elsewhere' ? [`This transaction is too old, or not for ${network ?? 'this network'}.`] : []),
    ...(recipients?.problems ?? []),
  ]
}

type IsNew = (address: string) => boolean

/** @param seen undefined: the environment has no node */
function describeAll({ parsed, wallet }: TransactionToShow, seen: Seen | undefined, isNew: IsNew): readonly Child[] {
  const owners = seen?.recipients?.owners
  const actions = describeTransaction(parsed, { ...(owners && { owners }), isNew })
  const isUnclear = actions.some(({ unclear }) => unclear) || parsed.usesLookupTables
  const works = seen?.outcome === 'works'
  // A node that does not know the blockhash says nothing about the network of this transaction.
  const network = works || seen?.outcome === 'fails' ? seen.network : undefined
  return actionCards(
    [
      ...actions,
      ...(works ? [describeChanges(seen, parsed.usesLookupTables)] : []),
      describeCosts(parsed, wallet, network),
    ],
    seen && warn(seen),
    isUnclear,
  )
}

async function look(
  rpcUrl: string,
  { encoded, parsed, wallet }: TransactionToShow,
  signal: AbortSignal,
): Promise<Seen> {
  const preview = await getPreview({ rpcUrl, encoded, parsed, wallet, signal })
  const { tokenAccounts } = preview
  const recipients = tokenAccounts && (await findRecipients(parsed, tokenAccounts))
  return { ...preview, host: new URL(rpcUrl).host, recipients }
}

interface Asking {
  readonly frame: {
    readonly configuration: Pick<FrameConfiguration, 'rpcUrl'>
    readonly screen: Pick<Screen, 'busy'>
    readonly store: Pick<ShareStore, 'isRecipient'>
  }
  readonly user: string
  readonly context: Pick<HandlerContext, 'signal'>
}

/** Asks the node, and returns the content of the question, and whom the wallet pays. */
export async function showTransaction(
  { frame, user, context }: Asking,
  toShow: TransactionToShow,
): Promise<ShownTransaction> {
  const { rpcUrl } = frame.configuration
  const { wallet } = toShow
  if (rpcUrl !== undefined) frame.screen.busy('Checking what this transaction does…')
  const seen = rpcUrl === undefined ? undefined : await look(rpcUrl, toShow, context.signal)
  // A node can claim any owner. Only one that the account's address proves becomes known.
  const verified = [...(seen?.recipients?.owners ?? [])].filter(([, { isVerified }]) => isVerified)
  const destinations = [...listDestinations(toShow.parsed), ...verified.map(([, { owner }]) => owner)]
  const known = await Promise.all(
    destinations.map(
      async address => address === wallet || (await frame.store.isRecipient([user, wallet, 'SOL'], address)),
    ),
  )
  const falseOwners = await findFalseOwners(toShow.parsed)
  const isNew: IsNew = address => falseOwners.has(address) || !known[destinations.indexOf(address)]
  const paid = listPaid(toShow.parsed, wallet)
  const owners = verified.flatMap(([account, { owner }]) => (paid.includes(account) ? owner : []))
  return {
    content: describeAll(toShow, seen, isNew),
    paid: [...new Set([...paid, ...owners])].filter(address => !falseOwners.has(address)),
  }
}
