/** Tests a passkey as the second factor in the visible frame: the frame creates its own passkey, without the page. */
import { addAuthenticator } from '@keybay/sandbox-tools/testing/virtual-authenticator'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { overhear } from './overheard.js'
import { create, enrolTotp, enter, isSignature, open, press, sign } from './user.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()

/** Enrols a passkey of the page's domain as the only second factor. */
function enrolPagePasskey(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const { account } = window.host.keybay
    const { challengeId, options } = Object(await account.request('/users/me/passkeys/options', { method: 'POST' }))
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const made = await navigator.credentials.create({ publicKey })
    const response = made instanceof PublicKeyCredential ? made.toJSON() : undefined
    await account.request('/users/me/passkeys', { body: { challengeId, response } })
    const { confirm } = await account.mfa.add('passkey')
    await confirm()
  })
}
/** Touches the device whenever the page prompts for a second factor. @returns a function that counts these prompts */
async function answerInPage(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const answered = new Set<object>()
    Object.assign(window, { answered })
    const { prompts } = window.host.keybay
    prompts.subscribe(() => {
      for (const prompt of prompts.list()) {
        if (prompt.type !== 'mfa' || answered.has(prompt)) continue
        answered.add(prompt)
        prompt.submit({ deviceId: prompt.devices[0]?.id ?? '', passkey: true }).then(prompt.answer, prompt.cancel)
      }
    })
  })
  return () => page.evaluate(() => Number(Reflect.get(Reflect.get(window, 'answered'), 'size')))
}
/** Returns the MFA tokens that the frame got. */
function getTokens(page: Page): string[] {
  const tokens: string[] = []
  page.on('response', async response => {
    if (!/\/mfa\/frame\/[^/]+\/answer$/.test(new URL(response.url()).pathname) || !response.ok()) return
    const { mfaToken }: { readonly mfaToken?: string } = await response.json().catch(() => ({}))
    if (mfaToken !== undefined) tokens.push(mfaToken)
  })
  return tokens
}
/** Agrees to a message with the frame's passkey, which is the first choice. */
async function agree(page: Page) {
  const frame = await getFrame(page, 'visible')
  await frame.getByRole('heading', { name: 'Sign this message?' }).waitFor()
  await expect
    .poll(() => frame.getByLabel('Confirm with').locator('option:checked').textContent())
    .toBe('Use your passkey')
  expect(await frame.getByLabel('Code').isVisible()).toBe(false)
  return frame.getByRole('button', { name: 'Sign', exact: true })
}

it('[S6.1] a user with a page passkey creates a frame passkey and signs with it; the page gets no token or answer', async () => {
  const { page } = await enter(world)
  const { hosts: passkeys } = await addAuthenticator(page)
  const overheard = await overhear(page)
  const tokens = getTokens(page)
  const { address } = await create(page, 'TWO_OF_TWO')
  await enrolPagePasskey(page)
  world.advanceRelays(11_000)
  const countInPage = await answerInPage(page)

  const first = sign(page, address, 'first')
  const frame = await getFrame(page, 'visible')
  await frame.getByRole('heading', { name: 'A passkey for your wallet' }).waitFor()
  await press(frame.getByRole('button', { name: 'Make a passkey' }))
  await press(await agree(page))
  expect(isSignature(address, 'first', await first)).toBe(true)
  expect(await countInPage()).toBe(1)
  expect(await passkeys()).toEqual(['app.localhost', 'wallet.localhost'])

  const second = sign(page, address, 'second')
  await press(await agree(page))
  expect(isSignature(address, 'second', await second)).toBe(true)
  // The page used its passkey once, and did not prompt again.
  expect(await countInPage()).toBe(1)

  // The bodies of responses come after the signature.
  await expect.poll(() => tokens.length).toBe(2)
  const known = await overheard.text()
  const signatures = overheard.factors.flatMap(body => /"signature":"([^"]+)"/.exec(body)?.[1] ?? [])
  expect(signatures).toHaveLength(2)
  for (const secret of [...signatures, ...tokens]) expect(known).not.toContain(secret)
})

it('[S6.1] creates a passkey for next time after a code; closing the device’s dialog leaves the frame’s dialog open', async () => {
  const { page, address } = await open(world)
  const { hosts: passkeys } = await addAuthenticator(page)
  const secret = await enrolTotp(page)
  world.advanceRelays(11_000)

  const first = sign(page, address, 'by a code')
  const frame = await getFrame(page, 'visible')
  await frame.getByLabel('Code').fill(world.nextTotp(secret))
  await press(frame.getByLabel('Next time with a passkey'))
  await press(frame.getByRole('button', { name: 'Sign', exact: true }))
  expect(isSignature(address, 'by a code', await first)).toBe(true)
  expect(await passkeys()).toEqual(['wallet.localhost'])

  const second = sign(page, address, 'by a passkey')
  const button = await agree(page)
  const shown = await getFrame(page, 'visible')
  // Simulates the error of a browser whose dialog was closed.
  await shown.evaluate(() => {
    const { credentials } = navigator
    const original = credentials.get
    credentials.get = async () => {
      credentials.get = original
      throw new DOMException('closed', 'NotAllowedError')
    }
  })
  await press(button)
  await shown.getByRole('alert').getByText('The passkey was not used').waitFor()
  await press(button)
  expect(isSignature(address, 'by a passkey', await second)).toBe(true)
})
