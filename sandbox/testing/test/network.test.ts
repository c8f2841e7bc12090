import { expect, it } from 'vitest'
import { setUpSandbox } from '../src/sandbox.js'

const sandbox = setUpSandbox()
/** The browser logs each failed request; the page shows its own text. */
const UNREACHABLE = /Failed to load resource|WebSocket connection to/

it('[S9.6] keeps the chosen network after a reload and in another tab', async () => {
  const visitor = await sandbox.visit('/', { expectTrouble: UNREACHABLE })
  // No test leaves this machine, so requests to the public node are aborted here.
  await visitor.context.route('https://api.devnet.solana.com/**', route => route.abort())
  const { page } = visitor
  const network = page.getByRole('combobox', { name: 'Network' })
  const name = () => network.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text)
  await expect.poll(name).toBe('Solana Localnet')
  await network.selectOption('Solana Devnet')
  await page.getByText('Solana Devnet does not answer').waitFor()
  await page.reload()
  await expect.poll(name).toBe('Solana Devnet')
  const other = await visitor.newTab('/explorer')
  await expect
    .poll(() =>
      other.page
        .getByRole('combobox', { name: 'Network' })
        .evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text),
    )
    .toBe('Solana Devnet')
  await network.selectOption('Solana Localnet')
  await page.getByText('Online').waitFor()
})

it('[S1.18] sets the user’s own node by keyboard, reports an error, keeps the node after a reload, and removes it', async () => {
  const visitor = await sandbox.visit('/', { expectTrouble: UNREACHABLE })
  // No test leaves this machine, so requests to the public node are aborted here.
  await visitor.context.route('https://api.devnet.solana.com/**', route => route.abort())
  const { page } = visitor
  const ownNode = await sandbox.chain.addNode()
  await page.getByRole('region', { name: 'Network and settings' }).getByRole('link', { name: 'Node' }).press('Enter')
  await page.getByRole('heading', { name: 'Node', level: 1 }).waitFor()
  const card = page.getByRole('region', { name: 'Your own node for Solana Localnet' })
  const field = card.getByLabel('Address of the node')
  await card.getByText('The network’s own nodes').waitFor()
  const attempt = async (address: string) => {
    await field.fill(address)
    await field.press('Enter')
  }

  ownNode.faults.add({ type: 'error', code: -32601, message: 'Method not found', method: 'getGenesisHash' })
  await attempt(ownNode.url)
  await card.getByText('The chain refused the request').waitFor()
  ownNode.faults.clear()
  await expect.poll(() => field.evaluate(element => element === document.activeElement)).toBe(true)
  await attempt(ownNode.url)
  await card.getByText(`${ownNode.url}/`).waitFor()
  // The network's own node is down, and the page does not need it.
  sandbox.chain.faults.add({ type: 'drop' })
  await page.reload()
  await card.getByText(`${ownNode.url}/`).waitFor()
  await page.getByText('Online').waitFor()
  await card.getByRole('button', { name: 'Remove mine' }).press('Enter')
  await card.getByText('The network’s own nodes').waitFor()
  await page.getByText('Solana Localnet does not answer').waitFor()
  sandbox.chain.faults.clear()
  await page.getByText('Online').waitFor()
})

it.each(['app.localhost', 'localhost', '127.0.0.1'])('[S9.13] shows the demo app on %s', async host => {
  const visitor = await sandbox.visit()
  await visitor.page.goto(`http://${host}:${sandbox.app.port}/`)
  await visitor.connect()
  await visitor.page.getByText('Online').waitFor()
})

it('[S9.5] logs only warnings in production, and everything while the troubleshoot flag is set', async () => {
  const visitor = await sandbox.visit()
  const { page } = visitor
  const lines: string[] = []
  page.on('console', message => {
    if (message.text().startsWith('[keybay]')) lines.push(message.text())
  })
  const refuse = async () => {
    await visitor.connectDialog.open()
    await visitor.connectDialog.choose('Sandbox Wallet')
    await visitor.wallet.reject('Connect')
    await visitor.connectDialog.dialog.getByText('You declined in Sandbox Wallet.').waitFor()
  }
  await refuse()
  expect(lines).toEqual([])
  await page.evaluate(() => localStorage.setItem('keybay:troubleshoot', '1'))
  await page.reload()
  await refuse()
  expect(lines).toContainEqual(expect.stringContaining('wallet-standard:'))
})
