import { type AccountFormat, accountJson } from './account-json.js'
import type { Block } from './blocks.js'
import { decodeRecord, getAccountKeys, type TransactionRecord } from './ledger.js'
import { type AccountFilter, accountFilters, accountFormat } from './rpc/accounts.js'
import { inContext, type RpcContext } from './rpc/context.js'
import { type Commitment, Config, type Params, toList, toPubkey } from './rpc/params.js'
import { invalidParams } from './rpc-error.js'
import type { StateListener } from './state.js'

/** Sends a notification to the client of a subscription. */
export type Notify = (method: string, result: unknown) => void

interface Subscription {
  readonly id: number
  readonly notify: Notify
  readonly kind: Kind
}

type Kind =
  | {
      readonly type: 'signature'
      readonly signature: string
      readonly commitment: Commitment
      readonly received: boolean
    }
  | { readonly type: 'account'; readonly address: string; readonly format: AccountFormat }
  | {
      readonly type: 'program'
      readonly program: string
      readonly format: AccountFormat
      readonly filters: readonly AccountFilter[]
    }
  | { readonly type: 'logs'; readonly mentions: string | undefined }
  | { readonly type: 'slot' }
  | { readonly type: 'root' }

/** Subscription types, by method. */
const KINDS: Readonly<Record<string, { readonly required: number; readonly read: (params: Params) => Kind }>> = {
  signatureSubscribe: {
    required: 1,
    read: params => {
      const config = params.config(1)
      const received = config.flag('enableReceivedNotification')
      return { type: 'signature', signature: params.signature(0), commitment: config.commitment(), received }
    },
  },
  accountSubscribe: {
    required: 1,
    read: params => ({ type: 'account', address: params.pubkey(0), format: accountFormat(params.config(1), 'binary') }),
  },
  programSubscribe: {
    required: 1,
    read: params => {
      const config = params.config(1)
      const format = accountFormat(config, 'binary')
      return { type: 'program', program: params.pubkey(0), format, filters: accountFilters(config) }
    },
  },
  logsSubscribe: { required: 1, read: params => ({ type: 'logs', mentions: findMentions(params.value(0)) }) },
  slotSubscribe: { required: 0, read: () => ({ type: 'slot' }) },
  rootSubscribe: { required: 0, read: () => ({ type: 'root' }) },
}

function findMentions(filter: unknown): string | undefined {
  if (filter === 'all' || filter === 'allWithVotes') return undefined
  const mentions = toList(Config.of(filter).value('mentions'), 1, 'addresses').map(toPubkey)
  if (mentions[0] === undefined) throw invalidParams('Invalid Request: Only 1 address supported')
  return mentions[0]
}

/** Returns the number of parameters that a subscribe method requires; undefined for an unknown method. */
export function requiredParams(method: string): number | undefined {
  return Object.hasOwn(KINDS, method) ? KINDS[method]?.required : undefined
}

export class Subscriptions implements StateListener {
  readonly #context: RpcContext
  readonly #byId = new Map<number, Subscription>()
  #lastId = 0
  readonly #changed = new Set<string>()
  #flushing = false

  constructor(context: RpcContext) {
    this.#context = context
    context.state.listeners.add(this)
  }

  /** @returns the id of the subscription @throws RpcError for invalid parameters */
  add(method: string, params: Params, notify: Notify): number {
    const known = KINDS[method]
    if (!known) throw invalidParams(`no such subscription: ${method}`)
    const kind = known.read(params)
    this.#lastId += 1
    const subscription = { id: this.#lastId, notify, kind }
    this.#byId.set(subscription.id, subscription)
    // Send the response with the id first; a result that is already known follows it.
    if (kind.type === 'signature') setImmediate(() => this.#signature(subscription))
    return subscription.id
  }

  remove(id: number): boolean {
    return this.#byId.delete(id)
  }

  transaction(record: TransactionRecord, writable: readonly string[]): void {
    if (this.#byId.size === 0) return
    for (const subscription of this.#byId.values()) {
      if (subscription.kind.type === 'signature' && subscription.kind.signature === record.signature) {
        setImmediate(() => this.#signature(subscription, record.slot))
      }
    }
    this.#logs(record)
    this.accounts(writable)
  }

  /** Merges several transactions in one turn of the event loop into one notification per account. */
  accounts(addresses: readonly string[]): void {
    for (const address of addresses) this.#changed.add(address)
    if (this.#flushing) return
    this.#flushing = true
    setImmediate(() => {
      this.#flushing = false
      this.#flush()
    })
  }

  slot({ slot, parentSlot }: Block): void {
    const { root } = this.#context.state
    for (const subscription of [...this.#byId.values()]) {
      if (subscription.kind.type === 'slot') subscription.notify('slotNotification', { parent: parentSlot, root, slot })
      else if (subscription.kind.type === 'root') subscription.notify('rootNotification', root)
      else if (subscription.kind.type === 'signature') this.#signature(subscription)
    }
  }

  /**
   * Notifies a subscriber of its transaction's result, once; the subscription then ends. A node notifies the subscribers
   * of each slot, so `slot` is the transaction's for those who subscribed before, and the current one for later ones.
   */
  #signature({ id, kind, notify }: Subscription, slot = this.#context.state.slot): void {
    if (kind.type !== 'signature' || !this.#byId.has(id)) return
    const { state } = this.#context
    const record = state.ledger.get(kind.signature)
    if (!record || (kind.commitment === 'finalized' && record.slot > state.root)) return
    if (kind.received) notify('signatureNotification', inContext(this.#context, 'receivedSignature'))
    const { context, value } = inContext(this.#context, { err: record.error })
    notify('signatureNotification', { context: { ...context, slot }, value })
    this.#byId.delete(id)
  }

  #logs(record: TransactionRecord): void {
    const listening = [...this.#byId.values()].filter(({ kind }) => kind.type === 'logs')
    if (listening.length === 0) return
    const keys = getAccountKeys(decodeRecord(record), record.loaded)
    const value = { signature: record.signature, err: record.error, logs: record.logs }
    for (const { kind, notify } of listening) {
      if (kind.type === 'logs' && (kind.mentions === undefined || keys.includes(kind.mentions))) {
        setImmediate(() => notify('logsNotification', inContext(this.#context, value)))
      }
    }
  }

  #flush(): void {
    const changed = new Set(this.#changed)
    this.#changed.clear()
    for (const { kind, notify } of [...this.#byId.values()]) {
      if (kind.type === 'account' && changed.has(kind.address)) {
        notify('accountNotification', inContext(this.#context, this.#account(kind.address, kind.format)))
      }
      if (kind.type === 'program') this.#program(kind, changed, notify)
    }
  }

  /** Shows a closed account as an empty one of the system program, as a node does. */
  #account(address: string, format: AccountFormat): unknown {
    const { vm } = this.#context.state
    const emptyAccount = {
      lamports: 0n,
      owner: '11111111111111111111111111111111',
      data: Buffer.alloc(0),
      executable: false,
    }
    return accountJson(vm, vm.account(address) ?? emptyAccount, format)
  }

  #program(kind: Kind & { type: 'program' }, changed: ReadonlySet<string>, notify: Notify): void {
    const { vm } = this.#context.state
    for (const address of changed) {
      const account = vm.account(address)
      if (account?.owner !== kind.program || !kind.filters.every(keep => keep(account))) continue
      const value = { pubkey: address, account: accountJson(vm, account, kind.format) }
      notify('programNotification', inContext(this.#context, value))
    }
  }
}
