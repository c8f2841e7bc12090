// @vitest-environment happy-dom
import { KeybayProvider } from '@keybay/react'
import { type ReactNode, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, it } from 'vitest'
import {
  useBalance,
  useFee,
  useHistory,
  useNetwork,
  useSendTransaction,
  useSimulation,
  useTokenAccounts,
  useTransactions,
} from '../src/react/index.js'
import { badNode, type Host, host, reply, result, SOL, setUpChain, TestClock, testWallet } from './support.js'

const setup = setUpChain()
const { closing } = setup
afterEach(() => localStorage.clear())

/** Renders the hook in its property, so that a page can use any hook. */
function Probe({ onRender }: { readonly onRender: () => void }): ReactNode {
  onRender()
  return null
}
/** Renders a hook as a page does, and waits for its result. */
async function show<T>(keybay: Host, use: () => T) {
  const seen: T[] = []
  let wake = () => {}
  const onRender = () => {
    seen.push(use())
    wake()
  }
  const root = createRoot(document.createElement('div'))
  closing.push(() => root.unmount())
  const last = () => {
    const now = seen.at(-1)
    if (!now) throw new Error('nothing was rendered')
    return now
  }
  const until = async (condition: (now: T) => boolean) => {
    while (!seen.length || !condition(last()))
      await new Promise<void>(resolve => {
        wake = resolve
      })
  }
  root.render(
    <StrictMode>
      <KeybayProvider keybay={keybay}>
        <Probe onRender={onRender} />
      </KeybayProvider>
    </StrictMode>,
  )
  await until(() => true)
  return { seen, last, until }
}

async function rich() {
  const [wallet, other] = [testWallet(), testWallet()]
  const { keybay } = await setup.rich({ wallets: [wallet, other] })
  await keybay.solana.requestAirdrop(wallet.address, 10n * SOL)
  return { keybay, wallet, other }
}

function Page(): ReactNode {
  const { network } = useNetwork()
  const { status } = useBalance()
  return <p>{`${network?.cluster} ${status} ${useSendTransaction().status}`}</p>
}

it('useSendTransaction shows each step, and useBalance shows the remaining balance', async () => {
  const { keybay, wallet, other } = await rich()
  const page = await show(keybay, () => ({
    send: useSendTransaction(),
    own: useBalance(),
    other: useBalance(other.address),
  }))
  await page.until(({ own }) => own.balance === 10n * SOL)
  expect(page.last().send).toMatchObject({ status: 'idle', steps: [] })
  page.last().send.run({ to: other.address, lamports: SOL })
  await page.until(({ send }) => send.status === 'success')
  const { steps, data } = page.last().send
  expect(steps.map(({ step }) => step)).toEqual(['built', 'fee', 'signed', 'sent', 'confirmed'])
  expect(steps.at(-1)).toMatchObject({ signature: data?.signature })
  await page.last().own.refresh()
  await page.last().other.refresh()
  await page.until(({ other }) => other.balance === SOL)
  expect(page.last().own).toMatchObject({ balance: 8_999_995_000n, status: 'success' })
  page.last().send.reset()
  await page.until(({ send }) => send.status === 'idle')
  expect(page.last().send).toMatchObject({ status: 'idle', steps: [] })
  expect(wallet.asked).toHaveLength(1)
})
it('useSendTransaction shows why and at which step a send failed', async () => {
  const { keybay, other } = await rich()
  const page = await show(keybay, useSendTransaction)
  page.last().run({ to: other.address, lamports: 11n * SOL })
  await page.until(({ status }) => status === 'error')
  expect(page.last()).toMatchObject({ error: { message: 'Insufficient funds.' } })
  expect(page.last().steps.map(({ step }) => step)).toEqual(['built', 'failed'])
})
it('useSendTransaction returns to idle after an abort', async () => {
  const { keybay, wallet, other } = await rich()
  const page = await show(keybay, useSendTransaction)
  const signRequested = new Promise<void>(resolve => {
    wallet.answer = () => {
      resolve()
      return new Promise(() => {})
    }
  })
  page.last().run({ to: other.address, lamports: SOL })
  await signRequested
  page.last().abort()
  await page.until(({ status }) => status === 'idle')
  expect(page.seen.map(({ status }) => status)).not.toContain('error')
})
it('useBalance follows the active account and network, and never mixes up their balances', async () => {
  const { keybay, other } = await rich()
  const node = await badNode((call, response) => {
    reply(response, result(call, { context: { slot: 1 }, value: 5 }))
  })
  closing.push(node.close)
  const two = await host({
    url: setup.chain.url,
    wallets: [other],
    solana: { endpoints: { localnet: { rpcUrl: setup.chain.url }, devnet: { rpcUrl: node.url } } },
  })
  const page = await show(two, () => ({ ...useBalance(), network: useNetwork() }))
  await page.until(({ status }) => status === 'success')
  expect(page.last().balance).toBe(0n)
  page.last().network.select(103)
  await page.until(({ balance }) => balance === 5n)
  for (const { balance, network } of page.seen)
    if (balance !== undefined) expect(balance).toBe(network.network?.cluster === 'devnet' ? 5n : 0n)
  keybay.dispose()
})
it('useBalance is idle without an account, and returns the error of a failed read', async () => {
  const none = await show(await host({ url: setup.chain.url }), () => useBalance())
  expect(none.last()).toMatchObject({ status: 'idle', balance: undefined })
  const wrong = await show(await host({ url: setup.chain.url }), () => useBalance('unknown'))
  await wrong.until(({ status }) => status === 'error')
  expect(wrong.last().error).toMatchObject({ code: 'address_invalid' })
})
it('useHistory shows a payment that arrives before it polls', async () => {
  const { keybay, owner } = await setup.rich({ clock: new TestClock() })
  const page = await show(keybay, () => ({ ...useHistory(), balance: useBalance().balance }))
  await page.until(({ entries, balance }) => entries?.length === 1 && balance !== undefined)
  await setup.connection.requestAirdrop(owner, Number(SOL))
  await page.until(({ entries }) => entries?.length === 2)
  expect(page.last().entries?.[0]?.movement?.lamports).toBe(SOL)
})
it('useFee and useSimulation show the cost, changes and failure of a send without a signature', async () => {
  const { keybay, wallet, other } = await rich()
  const page = await show(keybay, () => {
    const [lamports, setLamports] = useState<bigint>()
    const input = lamports === undefined ? undefined : { to: other.address, lamports }
    return { fee: useFee(input), trial: useSimulation(input), setLamports }
  })
  expect(page.last()).toMatchObject({ fee: { status: 'idle' }, trial: { status: 'idle' } })
  page.last().setLamports(SOL)
  await page.until(({ fee, trial }) => fee.status === 'success' && trial.status === 'success')
  expect(page.last().fee.fee).toBe(5000n)
  expect(page.last().trial.simulation?.changes).toEqual([
    { owner: wallet.address, before: 10n * SOL, after: 8_999_995_000n },
    { owner: other.address, before: 0n, after: SOL },
  ])
  page.last().setLamports(20_000_000_000n)
  await page.until(({ fee, trial }) => fee.status === 'error' && trial.status === 'success')
  expect(page.last().fee).toMatchObject({ fee: 5000n, error: { message: 'Insufficient funds.' } })
  expect(page.last().trial.simulation?.failure?.reason).toMatch(/does not hold enough lamports/)
  expect(wallet.asked).toHaveLength(0)
})
it('useTokenAccounts lists the wallet’s token accounts, and refetches after a transaction', async () => {
  const { keybay, wallet, other } = await rich()
  const order = { owner: wallet.address, symbol: 'HOOKS', amount: '500' }
  const made = await fetch(`${setup.chain.url}/admin/mint`, { method: 'POST', body: JSON.stringify(order) })
  const { mint } = await made.json()
  const page = await show(keybay, () => ({ own: useTokenAccounts(), send: useSendTransaction() }))
  await page.until(({ own }) => own.accounts?.[0]?.amount === 500n)
  expect(page.last().own.accounts).toMatchObject([{ mint, decimals: 6, frozen: false }])
  page.last().send.run({ to: other.address, token: mint, amount: 200n })
  await page.until(({ own }) => own.accounts?.[0]?.amount === 300n)
  expect(wallet.asked).toHaveLength(1)
})
it('useTokenAccounts shows tokens that arrive for the wallet, without polling', async () => {
  const { keybay, wallet } = await setup.rich({ clock: new TestClock() })
  const mint = async (order: object) => {
    const response = await fetch(`${setup.chain.url}/admin/mint`, { method: 'POST', body: JSON.stringify(order) })
    return response.json()
  }
  const page = await show(keybay, () => useTokenAccounts())
  await page.until(({ status }) => status === 'success')
  expect(page.last().accounts).toEqual([])
  await mint({ owner: wallet.address, symbol: 'NEW', amount: '500' })
  await page.until(({ accounts }) => accounts?.[0]?.amount === 500n)
  await mint({ owner: wallet.address, symbol: 'NEW', amount: '20' })
  await page.until(({ accounts }) => accounts?.[0]?.amount === 520n)
})
it('useTransactions shows pending transactions and their final status', async () => {
  const { keybay, other } = await rich()
  const page = await show(keybay, () => ({ ...useTransactions(), send: useSendTransaction() }))
  page.last().send.run({ to: other.address, lamports: SOL })
  await page.until(({ pending }) => pending.length === 1)
  expect(page.last().pending).toMatchObject([{ transfers: [{ to: other.address, amount: SOL }] }])
  await page.until(({ transactions }) => transactions[0]?.status === 'confirmed')
  expect(page.last().pending).toEqual([])
  expect(page.last().transactions[0]?.signature).toBe(page.last().send.data?.signature)
})
it('the Solana hooks render on a server as idle', async () => {
  const keybay = await host({ url: setup.chain.url })
  const html = renderToString(
    <KeybayProvider keybay={keybay}>
      <Page />
    </KeybayProvider>,
  )
  expect(html).toBe('<p>localnet idle idle</p>')
})
