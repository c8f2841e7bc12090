// @vitest-environment happy-dom
/** The form that sends, on a real chain: what it says before, and what it does after a transfer. */
import { Keypair } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { configurePage, countSigned, setUpScreen, show } from './screen.js'

configurePage()
const { SendForm } = await import('../src/send/send-form.js')
const setup = setUpScreen()

async function open() {
  const { keybay, wallet, address } = await setup.open()
  const page = show(keybay, <SendForm from={address} />)
  await page.sees('2 SOL available')
  const to = Keypair.generate().publicKey.toBase58()
  const fill = (amount: string) => {
    page.fill('Destination', to)
    page.fill('Amount', amount)
  }
  const send = async (amount: string) => {
    fill(amount)
    await page.sees('Network fee0.000005 SOL')
    page.press('Send')
  }
  return { page, wallet, to, fill, send, keybay }
}

it('clears the form after a confirmed transfer, and a second press of Send sends nothing', async () => {
  const { page, wallet, send } = await open()
  await send('0.5')
  await page.sees('Confirmed · slot')
  await expect.poll(() => [page.control('Destination').value, page.control('Amount').value]).toEqual(['', ''])
  await page.sees('1.499995 SOL available')
  page.press('Send')
  await page.sees('Destination is required')
  await page.sees('Confirmed · slot')
  expect(countSigned(wallet)).toBe(1)
})

it('asks before it sends the same transfer again within 30 seconds', async () => {
  const { page, wallet, to, send } = await open()
  await send('0.5')
  await page.sees('Confirmed · slot')
  await expect.poll(() => page.control('Amount').value).toBe('')
  await send('0.5')
  await page.sees(`You sent 0.5 SOL to ${to.slice(0, 6)}…${to.slice(-6)} a moment ago.`)
  expect(countSigned(wallet)).toBe(1)
  page.press('Don’t send')
  await expect.poll(() => page.button('Send again')).toBeUndefined()
  page.press('Send')
  await page.sees('a moment ago.')
  page.press('Send again')
  await page.sees('0.99999 SOL available')
  expect(countSigned(wallet)).toBe(2)
})

it('sends another amount to the same address without a question', async () => {
  const { page, wallet, send } = await open()
  await send('0.5')
  await expect.poll(() => countSigned(wallet)).toBe(1)
  await expect.poll(() => page.control('Amount').value).toBe('')
  await send('0.25')
  await expect.poll(() => countSigned(wallet)).toBe(2)
  await page.sees('1.24999 SOL available')
})

it('says that the balance is too low while the amount is entered, and does not show a fee as if it could be sent', async () => {
  const { page, fill } = await open()
  fill('50')
  await page.sees('You have 2 SOL.')
})

it('enters all that can be sent, with the fee taken off, when Max is pressed', async () => {
  const { page, to } = await open()
  page.fill('Destination', to)
  page.press('Max')
  await expect.poll(() => page.control('Amount').value).toBe('1.999995')
  await page.sees('Network fee0.000005 SOL')
  page.press('Send')
  await page.sees('Confirmed · slot')
  await page.sees('0 SOL available')
})
