import { expect, it } from 'vitest'
import { useSandbox } from '../src/sandbox.js'

const sandbox = useSandbox()

it('[S9.6] keeps the chosen network over a reload and in another tab', async () => {
  const visitor = await sandbox.visit('/', { expectTrouble: true })
  // No test leaves this machine: the public node is answered here.
  await visitor.context.route('https://api.devnet.solana.com/**', route => route.abort())
  const { page } = visitor
  const network = page.getByLabel('Network')
  const name = () => network.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text)
  expect(await name()).toBe('Solana Localnet')
  await network.selectOption('Solana Devnet')
  await page.getByText('Solana Devnet does not answer').waitFor()
  await page.reload()
  await expect.poll(name).toBe('Solana Devnet')
  const other = await visitor.newTab('/explorer')
  await expect
    .poll(() =>
      other.page.getByLabel('Network').evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text),
    )
    .toBe('Solana Devnet')
  await network.selectOption('Solana Localnet')
  await page.getByText('Online').waitFor()
})

it.each(['app.localhost', 'localhost', '127.0.0.1'])('[S9.13] shows the demo app on %s', async host => {
  const visitor = await sandbox.visit()
  await visitor.page.goto(`http://${host}:${sandbox.app.port}/`)
  await visitor.connect()
  await visitor.page.getByText('Online').waitFor()
})

it('[S9.5] logs warnings only in production, and everything while the troubleshoot flag is set', async () => {
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
    await visitor.connectDialog.dialog.getByText('User cancelled connection').waitFor()
  }
  await refuse()
  expect(lines).toEqual([])
  await page.evaluate(() => localStorage.setItem('keybay:troubleshoot', '1'))
  await page.reload()
  await refuse()
  expect(lines).toContainEqual(expect.stringContaining('wallet-standard:'))
})
