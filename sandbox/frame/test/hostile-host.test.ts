/** A hostile script in the host's page, with all that the page has: it calls each operation, hides what the frame asks, and clicks. */

import { createDelegateKeys, listingOf } from '@keybay/waas/delegate'
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { create, enrolTotp, isSignature, press, sign } from './person.js'
import { frameOf, setUpWorld } from './world.js'

/** A server of the attacker's own that the operator lists. */
const listing = listingOf('Lottery', await createDelegateKeys())
const world = setUpWorld({ delegates: [listing] })

/** In the page: what the script calls, by name. */
const call = (page: Page, name: string, address: string, transaction: string) =>
  page.evaluate(
    ([name, address, transaction, server, delegateName]) => {
      const { outcome, keybay, signMessage, signTransaction } = window.host
      const all = { programs: [{ programId: '11111111111111111111111111111111' }], messages: true }
      const { waas } = keybay
      const calls: Readonly<Record<string, () => Promise<unknown>>> = {
        signMessage: () => signMessage(address, 'I owe you everything'),
        signTransaction: () => signTransaction(address, transaction),
        refresh: () => waas.refresh(address),
        reshare: () => waas.reshare(address, { to: 'TWO_OF_TWO' }),
        setPolicy: () => waas.setPolicy(address, { programs: [], messages: true }),
        delegate: () =>
          waas.delegateKeyShares(address, { delegatePublicKey: Uint8Array.from(server), delegateName, policy: all }),
      }
      return outcome(calls[name]?.() ?? Promise.reject(new Error('no such call')))
    },
    [name, address, transaction, [...Buffer.from(listing.sealingKey, 'base64url')], listing.name] as const,
  )

it('does nothing that needs the person: no click counts that the person does not see, and no factor is known to it', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const { address } = await create(page, 'TWO_OF_TWO')
  const secret = await enrolTotp(page)
  world.advanceRelays(11_000)
  const answers: (readonly [path: string, status: number])[] = []
  page.on('response', response => {
    const { pathname } = new URL(response.url())
    if (pathname.includes('/wallets/')) answers.push([pathname.split('/').slice(-2).join('/'), response.status()])
  })
  const style = await page.addStyleTag({ content: 'dialog, iframe { opacity: 0 !important }' })
  const from = new PublicKey(address)
  const transaction = new Transaction({ feePayer: from, recentBlockhash: '11111111111111111111111111111111' })
    .add(SystemProgram.transfer({ fromPubkey: from, toPubkey: Keypair.generate().publicKey, lamports: 9_000_000_000 }))
    .serialize({ requireAllSignatures: false })
    .toString('base64')
  for (const [name, button] of [
    ['signTransaction', 'Sign'],
    ['signMessage', 'Sign'],
    ['refresh', 'Confirm'],
    ['reshare', 'Confirm'],
    ['setPolicy', 'Change'],
    ['delegate', 'Allow'],
  ] as const) {
    const calling = call(page, name, address, transaction)
    const frame = await frameOf(page, 'visible')
    await frame.getByText('Something covers this window.').waitFor()
    const agree = frame.getByRole('button', { name: button, exact: true })
    expect(await agree.isDisabled()).toBe(true)
    // Even a click that reached the frame, with a code in the field.
    await frame.getByLabel('Code').fill('123456')
    await agree.evaluate((element: HTMLButtonElement) => element.click())
    await frame.getByRole('heading', { level: 1 }).waitFor()
    await frame
      .getByRole('button', { name: 'Cancel' })
      .evaluate((element: HTMLButtonElement) => void setTimeout(() => element.click()))
    expect((await calling).code).toBe('user_rejected')
  }
  expect(answers.filter(([path]) => path.endsWith('/sign')).map(([, status]) => status)).toEqual([403, 403])
  expect(answers.filter(([path]) => path === 'reshare/commit')).toEqual([])
  const [wallet] = await page.evaluate(() => window.host.keybay.waas.wallets())
  expect(wallet).toMatchObject({ epoch: 0, thresholdSignatureScheme: 'TWO_OF_TWO' })
  expect(wallet?.policy).toBeUndefined()
  expect(wallet?.sets).toHaveLength(1)
  // What the person sees, the person signs.
  await style.evaluate(element => element.parentNode?.removeChild(element))
  const signing = sign(page, address, 'mine')
  const frame = await frameOf(page, 'visible')
  await frame.getByLabel('Code').fill(world.nextTotp(secret))
  await press(frame.getByRole('button', { name: 'Sign' }))
  expect(isSignature(address, 'mine', await signing)).toBe(true)
})

it('leads no request elsewhere by an id', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const { address } = await create(page, 'TWO_OF_TWO')
  world.requests.length = 0
  for (const id of ['../../other', 'a/b', '..', 'x?y', '%2e%2e']) {
    const outcome = await page.evaluate(
      ([address, id]) => window.host.outcome(window.host.keybay.waas.revokeSet(address, id)),
      [address, id] as const,
    )
    expect(outcome.code).toBe('record_invalid')
  }
  expect(world.requests).toEqual([])
})
