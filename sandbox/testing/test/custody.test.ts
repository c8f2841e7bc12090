/** Tests custody wallets through the app: created, used, guarded twice, recovered, exported, and during failures. */
import { addAuthenticator } from '@keybay/sandbox-tools/testing/virtual-authenticator'
import { Keypair } from '@solana/web3.js'
import bs58 from 'bs58'
import { expect, it } from 'vitest'
import { receiveAirdrop } from '../src/flows.js'
import {
  createCustodyWallet,
  custodyVisitor,
  firstAddress,
  openCustody,
  recoveryCode,
  takeCustodyWallet,
} from '../src/flows-custody.js'
import { agreeToSign, signMessage } from '../src/flows-waas.js'
import { setUpSandbox } from '../src/sandbox.js'
import { inspectScreens } from '../src/screens.js'
import type { Tab } from '../src/visitor.js'
import { walletFrame } from '../src/wallet-frame.js'

const sandbox = setUpSandbox({ accounts: {}, custody: true })

function list({ page }: Tab, name: string) {
  return page.getByRole('list', { name, exact: true }).getByRole('listitem')
}

function toast({ page }: Tab, text: string) {
  return page.getByText(text, { exact: true }).waitFor()
}

it('[S1.13] creates a custody wallet with a passkey, signs, sends, signs with a second passkey, and lists activity', async () => {
  const { visitor, device } = await custodyVisitor(sandbox, 'custody@example.com')
  const { page, send } = visitor
  const address = await createCustodyWallet(visitor)
  await expect.poll(() => device.count()).toBe(1)
  await takeCustodyWallet(visitor)
  await visitor.go('Overview')
  await receiveAirdrop(visitor)
  await visitor.go('Send')
  const recipient = Keypair.generate().publicKey.toBase58()
  await send.fill(recipient, '0.5')
  await send.submit.click()
  const { screen } = walletFrame(page)
  for (const text of ['0.5 SOL', recipient, 'First time you send here', 'Estimated changes'])
    await screen.getByText(text, { exact: true }).waitFor()
  await agreeToSign(visitor, 'transaction')
  await send.confirmed.waitFor()
  await signMessage(visitor, 'By the session key')

  await openCustody(visitor)
  await page.getByText('Open', { exact: true }).waitFor()
  // The session key exists, but adds nothing without a passkey that custody knows.
  const first = await device.ids()
  await page.getByLabel('Name of the new passkey').fill('Phone')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await toast(visitor, 'Passkey added')
  await list(visitor, 'Passkeys').getByText('Phone').waitFor()
  await expect.poll(() => list(visitor, 'Passkeys').count()).toBe(2)
  await expect.poll(() => device.count()).toBe(2)
  await device.forget(first)
  await page.getByRole('button', { name: 'Lock now' }).click()
  await page.getByText('Locked', { exact: true }).waitFor()
  await signMessage(visitor, 'By the second passkey')

  await openCustody(visitor)
  await page.getByRole('button', { name: 'Solana account' }).click()
  await toast(visitor, 'Account added')
  await page.getByRole('button', { name: 'Sign typed data' }).click()
  await walletFrame(page).agree('Sign this data?', 'Sign')
  await page.getByText(/^0x[0-9a-f]{130}$/).waitFor()
  await page.getByRole('button', { name: 'Refresh activity' }).click()
  for (const what of ['Sign raw payload', 'Sign transaction', 'Create authenticators', 'Create wallet accounts'])
    await list(visitor, 'Activity').getByText(what).first().waitFor()
  await expect.poll(() => firstAddress(visitor)).toBe(address)
})

/** Runs in the page, as a malicious script does: returns all keys in IndexedDB, and what exporting them yields. */
async function stealKeys() {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  const list = (value: unknown): readonly CryptoKey[] => {
    if (value instanceof CryptoKey) return [value]
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(list) : []
  }
  const rows: unknown[] = []
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name))
    for (const store of database.objectStoreNames)
      rows.push(...(await done(database.transaction(store).objectStore(store).getAll())))
    database.close()
  }
  const attempts = list(rows).flatMap(key => [
    crypto.subtle.exportKey('jwk', key),
    crypto.subtle.exportKey('pkcs8', key),
  ])
  const outcomes = await Promise.all(
    attempts.map(attempt =>
      attempt.then(
        () => 'exported',
        ({ name }) => String(name),
      ),
    ),
  )
  return { outcomes, text: JSON.stringify([rows, { ...localStorage }, { ...sessionStorage }]) }
}

it('[S4.1] says what to do when the user declines in the window or at the passkey, or custody is down; the session key survives a reload, cannot be exported by a script, and is gone after a sign-out in another tab', async () => {
  const expectTrouble = /status of 503|ERR_CONNECTION_REFUSED|CORS/
  const { visitor, device } = await custodyVisitor(sandbox, 'bad-day@example.com', { expectTrouble })
  const { page } = visitor
  await createCustodyWallet(visitor)
  await takeCustodyWallet(visitor)
  await visitor.go('Sign')
  const sign = page.getByRole('button', { name: 'Sign message' })
  const declined = page.getByText('You declined, or closed the window. Try again when you are ready.')
  await sign.click()
  await walletFrame(page).cancel()
  await declined.waitFor()
  await device.setVerified(false)
  await sign.click()
  await agreeToSign(visitor, 'message')
  await declined.waitFor()
  await device.setVerified(true)
  await signMessage(visitor, 'After a second thought')
  await sandbox.custody.kill()
  await sign.click()
  await agreeToSign(visitor, 'message')
  await page.getByText('The key-custody service cannot be reached').waitFor()
  await openCustody(visitor)
  await page.reload()
  await page.getByText('Your wallet could not be loaded.').waitFor()
  await sandbox.custody.start()
  await page.getByRole('button', { name: 'Try again' }).click()
  await takeCustodyWallet(visitor)
  await signMessage(visitor, 'And when it is back')

  // From here on, the passkey's prompt fails.
  await device.setVerified(false)
  await page.reload()
  await openCustody(visitor)
  await page.getByText('Open', { exact: true }).waitFor()
  await signMessage(visitor, 'After a reload')
  const refused = 'InvalidAccessError'
  const { outcomes, text } = await page.evaluate(stealKeys)
  // The session's key and the custody key, in two formats each.
  expect(outcomes).toEqual([refused, refused, refused, refused])
  expect(text).not.toMatch(/"d":|"[0-9a-f]{64}"/)

  const other = await visitor.newTab('/')
  // The wallet has connected again, so the header keeps its menu.
  await other.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await other.account.signOut()
  await page.getByRole('button', { name: 'Sign in' }).first().waitFor()
  await expect.poll(async () => (await page.evaluate(stealKeys)).outcomes).toEqual([])
})

it('[S1.14] recovers a custody wallet by email in a new browser, and refuses a wrong code and an older one', async () => {
  const email = 'lost@example.com'
  const lost = await custodyVisitor(sandbox, email)
  const address = await createCustodyWallet(lost.visitor)

  const expectTrouble = /status of 40[013]/
  const { visitor: newVisitor, device } = await custodyVisitor(sandbox, email, { expectTrouble })
  const { page } = newVisitor
  await expect.poll(() => firstAddress(newVisitor)).toBe(address)
  await page.getByRole('link', { name: 'Recover by email' }).click()
  const code = page.getByLabel('Code from the mail')
  const makePasskey = async (text: string) => {
    await code.fill(text)
    await page.getByRole('button', { name: 'Make a new passkey' }).click()
  }
  const refused = page.getByText('The code is invalid or expired.')
  const newCode = async () => {
    await page.getByRole('button', { name: 'Send a new code' }).click()
    await refused.waitFor({ state: 'hidden' })
    return recoveryCode(sandbox, email)
  }
  await page.getByRole('button', { name: 'Send the code' }).click()
  const first = await recoveryCode(sandbox, email)
  await makePasskey('')
  await page.getByText('Paste the code from the mail.').waitFor()
  await makePasskey(`${first}1`)
  await refused.waitFor()
  await expect.poll(() => device.count()).toBe(0)
  // Only the newest code counts.
  const second = await newCode()
  await makePasskey(first)
  await refused.waitFor()
  // The user cancels the browser's prompt, then accepts it.
  await device.setVerified(false)
  await makePasskey(second)
  await page.getByRole('button', { name: 'Make a new passkey' }).waitFor()
  await expect.poll(() => device.count()).toBe(0)
  await device.setVerified(true)
  await makePasskey(` ${second}\n`)
  await toast(newVisitor, 'You can sign again')
  await expect.poll(() => firstAddress(newVisitor)).toBe(address)
  await takeCustodyWallet(newVisitor)
  await signMessage(newVisitor, 'From the new browser')
})

it('[S1.9] shows an exported custody key only in a window of another origin, after a visible press, for a minute', async () => {
  const { visitor } = await custodyVisitor(sandbox, 'export@example.com')
  const { page } = visitor
  const address = await createCustodyWallet(visitor)
  await page.getByRole('link', { name: `Export ${address.slice(0, 6)}…${address.slice(-6)}` }).click()
  await page.getByRole('heading', { name: 'Export a custody key', level: 1 }).waitFor()
  await page.clock.install()
  await page.clock.resume()
  const frame = walletFrame(page)
  const exportKey = async () => {
    await page.getByRole('button', { name: 'Show my key' }).click()
    await frame.screen.getByRole('heading', { name: 'Your private key' }).waitFor()
  }
  const key = frame.screen.getByLabel('Private key')
  const readPhrase = () => frame.screen.getByText(/^Your phrase /).textContent()
  await exportKey()
  const phrase = await readPhrase()
  expect(phrase).toMatch(/^Your phrase [a-z]+ [a-z]+ [a-z]+$/)
  await frame.screen.getByText('Account export@example.com').waitFor()
  await frame.screen.getByText(`Asked by Keybay sandbox at ${new URL(page.url()).origin}`).waitFor()
  expect(await page.content()).not.toContain(phrase?.replace('Your phrase ', '') ?? '')
  // An overlay covers the window and lets clicks through.
  await page.evaluate(() => {
    const cover = document.createElement('div')
    cover.id = 'cover'
    cover.style.setProperty('position', 'fixed')
    cover.style.setProperty('inset', '0')
    cover.style.setProperty('background', 'rgba(255, 255, 255, 0.5)')
    cover.style.setProperty('pointer-events', 'none')
    document.querySelector('dialog[open]')?.append(cover)
  })
  await frame.screen.getByText('Something covers this window.').waitFor()
  await expect.poll(() => frame.screen.getByRole('button', { name: 'Show the key' }).isDisabled()).toBe(true)
  await page.evaluate(() => document.querySelector('#cover')?.remove())
  await frame.screen.getByText('Something covers this window.').waitFor({ state: 'hidden' })
  const text = await frame.showKey()
  expect(Keypair.fromSecretKey(bs58.decode(text)).publicKey.toBase58()).toBe(address)
  expect(await page.content()).not.toContain(text)
  // A user who opens another page leaves no key on the screen.
  await frame.screen.locator('body').evaluate(() => window.dispatchEvent(new FocusEvent('blur')))
  await key.waitFor({ state: 'hidden' })
  expect(await key.evaluate(({ textContent }) => textContent)).toBe('')
  await frame.showKey()
  await page.clock.fastForward(60_000)
  await page.locator('iframe[title="wallet storage"]').waitFor({ state: 'detached' })
  await exportKey()
  expect(await readPhrase()).toBe(phrase)
  await frame.press('Done')
  await page.locator('iframe[title="wallet storage"]').waitFor({ state: 'detached' })
  // Exports all accounts at once: the words, by the same window and the same rules.
  await page.getByRole('button', { name: 'Show my words' }).click()
  await frame.screen.getByRole('heading', { name: 'Your recovery words' }).waitFor()
  const words = await frame.showWords()
  expect(words.split(' ')).toHaveLength(12)
  expect(await page.content()).not.toContain(words)
  await expect.poll(() => frame.screen.getByRole('button', { name: 'Cancel' }).count()).toBe(0)
  await frame.press('Done')
  await page.locator('iframe[title="wallet storage"]').waitFor({ state: 'detached' })
  const browserState = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]),
  )
  for (const secret of [text, words]) expect(browserState).not.toContain(secret)
})

it('the custody wallet screens have no axe violations, and none is too wide', async () => {
  const visitor = await sandbox.visit('/custody')
  const { page } = visitor
  const { inspect, problems } = inspectScreens(page)
  await page.getByText('Sign in to have a wallet of your own').waitFor()
  await inspect('custody signed-out')
  const email = 'custody-screens@example.com'
  await addAuthenticator(page)
  await visitor.signInDialog.open()
  await visitor.signInDialog.sendCode(email)
  await visitor.signInDialog.code.fill(await sandbox.accounts.code(email))
  await page.getByText('You have no custody wallet yet').waitFor()
  await inspect('custody none')
  const address = await createCustodyWallet(visitor)
  await inspect('custody locked')
  await takeCustodyWallet(visitor)
  await page.getByRole('button', { name: 'Show activity' }).click()
  await list(visitor, 'Activity').first().waitFor()
  await list(visitor, 'Passkeys').first().waitFor()
  await inspect('custody open')
  await visitor.go('Sign')
  await page.getByRole('button', { name: 'Sign message' }).click()
  await walletFrame(page).screen.getByRole('heading', { name: 'Sign this message?' }).waitFor()
  await inspect('custody sign')
  await walletFrame(page).cancel()
  await openCustody(visitor)
  await page.getByRole('link', { name: 'Recover by email' }).click()
  await page.getByRole('button', { name: 'Send the code' }).click()
  await page.getByRole('button', { name: 'Make a new passkey' }).click()
  await page.getByText('Paste the code from the mail.').waitFor()
  await inspect('custody recover')
  await openCustody(visitor)
  await page
    .getByRole('link', { name: /^Export/ })
    .first()
    .click()
  await page.getByText(address, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Show my key' }).click()
  await walletFrame(page).screen.getByRole('heading', { name: 'Your private key' }).waitFor()
  await inspect('custody export')
  await walletFrame(page).press('Done')
  expect(problems).toEqual([])
})
