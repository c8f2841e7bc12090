/** Wallets that switch accounts where connecting proves them, against the real API. */
import type { WalletConnector } from '@keybay/kernel'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { answerLinkQuestions, fresh, openPage, settings, startWorld } from './support.js'
import { refusal, testWallet } from './wallet.js'

const world = await startWorld({ environments: { local: settings } })
afterAll(world.stop)
beforeEach(fresh)

const ID = 'test-wallet'

type Accounts = WalletConnector['wallet']['accounts']

/** A wallet with two accounts, of which it shows one. */
async function switchingWallet() {
  const [first, second] = [testWallet(), testWallet()]
  await second.connector.wallet.features['standard:connect']?.connect()
  second.asked.length = 0
  let current = first
  const listeners = new Set<(change: { readonly accounts: Accounts }) => void>()
  const events = {
    version: '1.0.0' as const,
    on(_event: string, listener: (change: { readonly accounts: Accounts }) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const connector: WalletConnector = {
    ...first.connector,
    wallet: {
      ...first.connector.wallet,
      get accounts() {
        return current.connector.wallet.accounts
      },
      get features() {
        return { ...current.connector.wallet.features, 'standard:events': events }
      },
    },
  }
  const choose = (next: typeof first) => {
    current = next
  }
  const report = () => {
    for (const listener of [...listeners]) listener({ accounts: current.connector.wallet.accounts })
  }
  return { first, second, connector, choose, report }
}
function open(connector: WalletConnector) {
  const page = openPage(world, { wallets: [connector], authMode: 'connect-and-sign' })
  answerLinkQuestions(page)
  return page
}
function signatures({ asked }: ReturnType<typeof testWallet>): readonly string[] {
  return asked.filter(name => name === 'solana:signMessage')
}

it('connect-and-sign proves again when the wallet switches account, and shows no unproved account before', async () => {
  const { first, second, connector, choose, report } = await switchingWallet()
  const page = open(connector)
  await page.connect(ID)
  expect(signatures(first)).toHaveLength(1)
  choose(second)
  report()
  expect(page.connections.list()).toEqual([])
  await expect.poll(() => page.connections.get(ID)?.accounts[0]?.address).toBe(second.address)
  expect(signatures(second)).toHaveLength(1)
})
it('connect-and-sign stays disconnected when the switched account is not proved, after a reload too', async () => {
  const { second, connector, choose, report } = await switchingWallet()
  const page = open(connector)
  await page.connect(ID)
  second.refuses['solana:signMessage'] = refusal
  const failed = new Promise(resolve => page.on('connection:failed', resolve))
  choose(second)
  report()
  expect(await failed).toMatchObject({ error: { code: 'user_rejected' } })
  expect(page.connections.list()).toEqual([])
  expect(localStorage.getItem('keybay:local:proved:test-wallet')).toBeNull()
  page.dispose()
  const after = open(connector)
  const onOpened = vi.fn()
  after.on('connection:opened', onOpened)
  after.connectors.list()
  await after.account.user.refresh()
  expect(onOpened).not.toHaveBeenCalled()
})
it('connect-and-sign disconnects a wallet that comes back after a reload with another account than it proved', async () => {
  const { second, connector, choose } = await switchingWallet()
  const page = open(connector)
  await page.connect(ID)
  page.dispose()
  choose(second)
  const after = open(connector)
  const closed = new Promise(resolve => after.on('connection:closed', resolve))
  after.connectors.list()
  expect(await closed).toEqual({ connectorId: ID, by: 'host' })
  expect(after.connections.list()).toEqual([])
  expect(signatures(second)).toEqual([])
})
it('connect-and-sign refuses a wallet that connects another account than it proved', async () => {
  const { first, second, connector, choose } = await switchingWallet()
  first.answers['solana:signMessage'] = async real => {
    choose(second)
    return real
  }
  const page = open(connector)
  await expect(page.connect(ID)).rejects.toMatchObject({ code: 'aborted' })
  expect(page.connections.list()).toEqual([])
})
it('connect-and-sign follows a wallet between accounts that the user has proved, without another signature', async () => {
  const { first, second, connector, choose, report } = await switchingWallet()
  const page = open(connector)
  page.account.user.subscribe(() => {})
  await page.connect(ID)
  choose(second)
  report()
  await expect.poll(() => page.connections.get(ID)?.accounts[0]?.address).toBe(second.address)
  await expect
    .poll(() => page.account.user.current)
    .toMatchObject({ status: 'ready', user: { credentials: [expect.anything(), expect.anything()] } })
  for (const wallet of [first, second, first]) {
    choose(wallet)
    report()
    expect(page.connections.get(ID)?.accounts[0]?.address).toBe(wallet.address)
  }
  expect([signatures(first), signatures(second)].map(({ length }) => length)).toEqual([1, 1])
})
