/** Runs the sandbox's extension in the page; its user answers as the test says. */
import {
  announceEvm,
  type Channel,
  createEvmProvider,
  createSolanaProvider,
  createStateStore,
  prepare,
  type SolanaProvider,
  type State,
  type StateStore,
  type Step,
  type Visible,
  visibleTo,
} from '@keybay/sandbox-wallets/extension'

export interface Extension {
  readonly store: StateStore
  readonly channel: Channel
  readonly solana: SolanaProvider
  person: 'approves' | 'refuses' | 'is-away'
  /** Every request that reached the user. */
  readonly asked: Step[]
  /** The user who was away approves. */
  comesBack(): Promise<void>
  /** Changes the wallet's state, as the user does in its window. */
  change(update: Partial<State>): Promise<void>
  announceEvm(): void
  /** The node's answer in place of the sandbox's. */
  receipt: (() => unknown) | undefined
}

export function createExtension(): Extension {
  let state: State | undefined
  const store = createStateStore({
    get: async () => state,
    async set(next) {
      state = next
    },
  })
  const { origin } = location
  const listeners = new Set<(visible: Visible) => void>()
  const held: (() => void)[] = []
  const asked: Step[] = []
  const refusal = () => Object.assign(new Error('User rejected the request.'), { code: 4001 })
  const decide = async () => {
    if (extension.person === 'is-away') await new Promise<void>(resolve => held.push(resolve))
    if (extension.person === 'refuses') throw refusal()
  }
  const channel: Channel = {
    async ask(method, params) {
      if (extension.receipt && Reflect.get(Object(params), 'method') === 'eth_getTransactionReceipt')
        return extension.receipt()
      let step = await prepare(store, 'http://localhost:9', { origin, method, params })
      while (step.kind === 'ask') {
        asked.push(step)
        await decide()
        step = await step.approved()
      }
      return step.result
    },
    subscribe: listener => void listeners.add(listener),
  }
  const notify = async () => {
    const visible = await visibleTo(store, origin)
    for (const listener of listeners) listener(visible)
  }
  const evm = createEvmProvider(channel)
  const extension: Extension = {
    store,
    channel,
    solana: createSolanaProvider(channel),
    person: 'approves',
    receipt: undefined,
    asked,
    async comesBack() {
      extension.person = 'approves'
      for (const resume of held.splice(0)) resume()
    },
    async change(update) {
      await store.update(() => update)
      await notify()
    },
    announceEvm: () => void leaving.push(announceEvm(evm, 'Sandbox EVM')),
  }
  return extension
}

/** Sets a property of the window, as an extension does. */
export function inject(place: string, value: unknown): void {
  Object.defineProperty(window, place, { value, configurable: true, writable: true })
}
const leaving: (() => void)[] = []
/** Removes what the wallets of these tests injected. */
export function clearPage(): void {
  for (const place of ['phantom', 'solana', 'solflare', 'backpack', 'glow', 'exodus', 'acme'])
    Reflect.deleteProperty(window, place)
  for (const leave of leaving.splice(0)) leave()
}
