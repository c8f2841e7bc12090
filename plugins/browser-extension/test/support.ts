/** Runs the sandbox's extension in the page; its user answers as the test says. */
import { field } from '@keybay/kernel/spec'
import {
  announceEvm,
  type Channel,
  createEvmProvider,
  createSolanaProvider,
  createStateStore,
  prepare,
  type State,
  type Step,
  type Visible,
  visibleTo,
} from '@keybay/sandbox-wallets/extension'

export type Extension = ReturnType<typeof createExtension>
type User = 'approves' | 'refuses' | 'is-away'

/** @param readReceipt the node's answer in place of the sandbox's */
export function createExtension(readReceipt?: () => unknown) {
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
  const requests: Step[] = []
  const refusal = () => Object.assign(new Error('User rejected the request.'), { code: 4001 })
  const decide = async () => {
    if (extension.user === 'is-away') await new Promise<void>(resolve => held.push(resolve))
    if (extension.user === 'refuses') throw refusal()
  }
  const channel: Channel = {
    async ask(method, params) {
      if (readReceipt && field(params, 'method') === 'eth_getTransactionReceipt') return readReceipt()
      let step = await prepare(store, 'http://localhost:9', { origin, method, params })
      while (step.kind === 'ask') {
        requests.push(step)
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
  const initial: { user: User } = { user: 'approves' }
  const extension = {
    ...initial,
    store,
    channel,
    solana: createSolanaProvider(channel),
    asked: requests,
    /** The user who was away approves. */
    async comesBack() {
      extension.user = 'approves'
      for (const resume of held.splice(0)) resume()
    },
    /** Changes the wallet's state, as the user does in its window. */
    async change(update: Partial<State>) {
      await store.update(() => update)
      await notify()
    },
    announceEvm: () => void leaving.push(announceEvm(evm, 'Sandbox EVM')),
  }
  return extension
}

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
