/** Tests the recovery page, which works from a saved file without a network, and sends no request. */
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { dealImported, type Party, SCHEMES, sealBackup, solanaAddress } from '@keybay/waas/mpc'
import { Keypair } from '@solana/web3.js'
import bs58 from 'bs58'
import { expect, it, vi } from 'vitest'
import { setUpEmbedder } from './embedder.js'

// Passwords are derived several times, which takes time on a slow machine.
vi.setConfig({ testTimeout: 300_000 })
const here = setUpEmbedder()
const [PASSWORD, OTHER] = ['correct horse', 'battery staple']

/** Returns two shares of a 2-of-3 wallet, as a user has them: a backup file, and the page's list of key shares. */
async function parts() {
  const pair = Keypair.generate()
  const ids = { ceremonyId: randomUUID(), walletId: randomUUID(), setId: randomUUID(), epoch: 0 }
  const deal = dealImported({ ...ids, curve: 'ed25519', ...SCHEMES.TWO_OF_THREE }, pair.secretKey.slice(0, 32))
  const { set, sealedSeed } = deal
  const getEnvelope = (party: Party, password: string) => {
    const secret = deal.subShares.find(({ to }) => to === party)?.secret ?? new Uint8Array()
    return sealBackup({ shares: [{ set, party, secret }], sealedSeed, password })
  }
  const file = async (name: string, content: Uint8Array | string) => {
    const path = join(tmpdir(), `keybay-${randomUUID()}-${name}`)
    await writeFile(path, content)
    return path
  }
  const device = Buffer.from(await getEnvelope('C', OTHER)).toString('base64')
  return {
    address: solanaAddress(set),
    backup: await file('backup.keybay', await getEnvelope('B1', PASSWORD)),
    device: await file('device.json', JSON.stringify({ keyShares: [device] })),
    letter: await file('letter.txt', 'Dear aunt'),
  }
}

it('the recovery page recovers a private key offline from a saved copy of the page', async () => {
  const { address, backup, device, letter } = await parts()
  const context = await here.newContext()
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const answer = await page.goto(`${here.url()}/recover`)
  expect(answer?.headers()['content-security-policy']).toMatch(/^default-src 'none'.*frame-ancestors 'none'$/)
  const saved = join(tmpdir(), `keybay-${randomUUID()}.html`)
  await writeFile(saved, (await answer?.body()) ?? '')
  await context.setOffline(true)
  await page.goto(pathToFileURL(saved).href)

  const open = page.getByRole('button', { name: 'Put the key together' })
  const choose = (...files: string[]) => page.getByLabel('Backup, and the copy of a device’s part').setInputFiles(files)
  const refuses = async (says: string) => {
    await open.click()
    await page.getByRole('alert').getByText(says).waitFor()
  }
  await refuses('Choose the files first.')
  await choose(letter)
  await refuses('letter.txt is not a backup and not a list of key shares.')
  await choose(backup)
  await refuses('Enter the password or the recovery code.')
  await page.getByLabel('Password or recovery code').fill(PASSWORD)
  await refuses('Not enough shares')
  await choose(backup, device)
  await refuses('Wrong password, or the backup was changed')
  await page.getByLabel('Another one').fill(OTHER)
  await open.click()
  await page.getByText(address).waitFor()
  const key = page.getByLabel('Private key')
  expect(await key.isHidden()).toBe(true)
  await page.getByRole('button', { name: 'Show the key' }).click()
  const text = await key.inputValue()
  expect(Keypair.fromSecretKey(bs58.decode(text)).publicKey.toBase58()).toBe(address)
  // Even with a network, the page's own policy allows no request.
  await context.setOffline(false)
  const sent = await page.evaluate(
    url =>
      fetch(url).then(
        () => 'sent',
        () => 'refused',
      ),
    here.url(),
  )
  expect(sent).toBe('refused')
  await page.getByRole('button', { name: 'Forget it' }).click()
  expect(await key.inputValue()).toBe('')
})
