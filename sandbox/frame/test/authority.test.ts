/** Tests what authorises an operation at the relay: tokens, signatures of session and device, second factors, password. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { enrolEmail } from './enrol-email.js'
import { overhear } from './overheard.js'
import {
  attempt,
  attemptSign,
  call,
  clickUnseen,
  enrolTotp,
  enter,
  isSignature,
  open,
  password,
  press,
  sign,
} from './user.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()

/** Returns the claims of a compact JWS. */
function getClaims(text: string | undefined): Record<string, unknown> {
  return JSON.parse(Buffer.from(text?.split('.')[1] ?? '', 'base64url').toString())
}

/** Records the path and headers of each request to the relay about a wallet. */
function recordRequests(page: Page): Record<string, string>[] {
  const all: Record<string, string>[] = []
  page.on('request', request => {
    if (request.method() === 'POST' && request.url().includes('/wallets/'))
      all.push({ path: new URL(request.url()).pathname.split('/').slice(-2).join('/'), ...request.headers() })
  })
  return all
}

function countPrompts(page: Page): Promise<number> {
  return page.evaluate(() => window.host.keybay.prompts.list().length)
}

it('[S6.1] operations carry the access token, session and device signatures, and require the password if set', async () => {
  const { page } = await enter(world)
  const requests = recordRequests(page)
  const { wallet } = await call(page, 'createWallet', { scheme: 'TWO_OF_TWO', password })
  const { accountAddress, walletId, setId } = wallet
  const wrong = await attempt(page, 'refresh', accountAddress, { password: 'another' })
  expect(wrong.code).toBe('frame_password_wrong')
  expect(requests.filter(({ path }) => path?.startsWith('reshare'))).toEqual([])
  expect((await call(page, 'refresh', accountAddress, { password })).wallet.epoch).toBe(1)
  const last = requests.filter(({ path }) => path === 'reshare/commit').at(-1)
  expect(last?.authorization).toMatch(/^Bearer /)
  const { sub, sid } = getClaims(last?.authorization)
  const op = 'refreshWalletAccountShares'
  const session = { sid, op, wallet: accountAddress, origin: new URL(page.url()).origin }
  expect(getClaims(last?.['x-keybay-session'])).toMatchObject(session)
  const device = { sub, env: 'local', op, wallet: walletId, set: setId, epoch: 0 }
  expect(getClaims(last?.['x-keybay-device'])).toMatchObject(device)
  // Each attempt has its own signature.
  const signatures = requests.flatMap(({ 'x-keybay-device': device }) => device ?? [])
  expect(new Set(signatures).size).toBe(signatures.length)
  // The requests contain neither the password nor anything derived from it.
  expect(JSON.stringify(requests)).not.toContain(password)
})

it('[S6.1] the user enters the second factor below the operation in the visible frame; the page never has the code', async () => {
  const { page, address } = await open(world)
  const secret = await enrolTotp(page)
  // Relays check a session's factors at most every 10 s.
  world.advanceRelays(11_000)
  const requests = recordRequests(page)
  const overheard = await overhear(page)
  const signing = sign(page, address, 'proved')
  const frame = await getFrame(page, 'visible')
  await frame.getByRole('heading', { name: 'Sign this message?' }).waitFor()
  const words = (await frame.getByRole('main').textContent()) ?? ''
  for (const part of [address, 'proved', new URL(page.url()).origin]) expect(words).toContain(part)
  await frame.getByLabel('Code').fill('000000')
  await press(frame.getByRole('button', { name: 'Sign' }))
  await frame.getByRole('alert').filter({ hasText: /./ }).waitFor()
  const code = world.nextTotp(secret)
  await frame.getByLabel('Code').fill(code)
  await press(frame.getByRole('button', { name: 'Sign' }))
  expect(isSignature(address, 'proved', await signing)).toBe(true)
  const attempts = requests.filter(({ path }) => path?.endsWith('/sign'))
  expect(attempts.map(headers => headers['x-keybay-mfa-token'] !== undefined)).toEqual([true])
  const token = attempts.at(-1)?.['x-keybay-mfa-token'] ?? ''
  expect(overheard.factors.some(body => body.includes(code))).toBe(true)
  const known = await overheard.text()
  expect(known).toContain('"signature"')
  for (const secretText of [code, token]) expect(known).not.toContain(secretText)
  expect(await countPrompts(page)).toBe(0)
})

it('sends a second factor by email, again on request; closing is user_rejected; a recovery code confirms a refresh', async () => {
  const { page, user, address } = await open(world)
  const { email, recoveryCodes } = await enrolEmail(page, user)
  world.advanceRelays(11_000)
  const leaving = attemptSign(page, address)
  const left = (await getFrame(page, 'visible')).getByRole('button', { name: 'Cancel' })
  // A window that closes earlier takes the request for the mail along.
  await world.codeFor(email)
  await clickUnseen(left)
  expect((await leaving).code).toBe('user_rejected')

  const byMail = sign(page, address, 'by mail')
  const frame = await getFrame(page, 'visible')
  const first = await world.codeFor(email)
  await press(frame.getByRole('button', { name: 'Send another code' }))
  const second = await world.codeFor(email)
  for (const code of [first, second]) {
    await frame.getByLabel('Code').fill(code)
    await press(frame.getByRole('button', { name: 'Sign' }))
    if (code === first) await frame.getByRole('alert').filter({ hasText: /./ }).waitFor()
  }
  expect(isSignature(address, 'by mail', await byMail)).toBe(true)

  const refreshing = call(page, 'refresh', address)
  const again = await getFrame(page, 'visible')
  await again.getByRole('heading', { name: 'Create new key shares?' }).waitFor()
  await again.getByLabel('Confirm with').selectOption({ label: 'A recovery code' })
  await again.getByLabel('Code').fill(recoveryCodes[0] ?? '')
  await press(again.getByRole('button', { name: 'Confirm' }))
  expect((await refreshing).wallet.epoch).toBe(1)
  expect(await countPrompts(page)).toBe(0)
})
