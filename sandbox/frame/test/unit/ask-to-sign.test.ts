// @vitest-environment happy-dom
/** Tests what the custody window shows before a signature. End-to-end tests press its button in a browser. */
import { systemClock, utf8 } from '@keybay/kernel/spec'
import type { ToSign } from '@keybay/turnkey/protocol'
import { Keypair, SystemProgram, Transaction } from '@solana/web3.js'
import { expect, it, vi } from 'vitest'
import { createScreen } from '../../src/page/screen/screen.js'
import { askToSign } from '../../src/turnkey-export/ask-to-sign.js'

const { publicKey } = Keypair.generate()
const recipient = Keypair.generate().publicKey
const transaction = new Transaction({ feePayer: publicKey, recentBlockhash: recipient.toBase58() })
transaction.add(SystemProgram.transfer({ fromPubkey: publicKey, toPubkey: recipient, lamports: 250_000_000 }))

async function show(kind: ToSign['kind'], ...contents: readonly Uint8Array[]): Promise<string> {
  const place = document.createElement('div')
  const screen = createScreen({ place, view: 'visible', hostOrigin: 'https://app.example', clock: systemClock })
  const recipients = { isRecipient: async () => false, keepRecipients: vi.fn() }
  const asking = { screen, hostOrigin: 'https://app.example', user: 'mara', recipients, now: Date.now }
  const answer = askToSign({ kind, address: publicKey.toBase58(), contents }, asking).catch((error: unknown) => error)
  await expect.poll(() => place.querySelector('h1')).not.toBe(null)
  const shown = place.textContent ?? ''
  const buttons = [...place.querySelectorAll('button')]
  buttons.find(({ textContent }) => textContent === 'Cancel')?.click()
  expect(await answer).toMatchObject({ code: 'user_rejected' })
  expect(recipients.keepRecipients).not.toHaveBeenCalled()
  return shown
}

const DOMAIN = { name: 'Shop', chainId: 1 }
const TYPES = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'chainId', type: 'uint256' },
  ],
  Order: [{ name: 'item', type: 'string' }],
}
const ORDER = JSON.stringify({ types: TYPES, primaryType: 'Order', domain: DOMAIN, message: { item: 'Tea' } })

it.each<[what: string, kind: ToSign['kind'], contents: readonly Uint8Array[], shown: readonly string[]]>([
  ['the text of a message', 'message', [utf8('I agree')], ['Sign this message?', 'I agree', publicKey.toBase58()]],
  ['each of several messages', 'message', [utf8('One'), utf8('Two')], ['Sign these messages?', 'One', 'Two']],
  ['bytes as what cannot be read', 'message', [Uint8Array.of(7, 1)], ['Unreadable bytes', '0x0701']],
  [
    'that a message is a transaction',
    'message',
    [transaction.serializeMessage()],
    ['This message is a transaction.', '0.25 SOL'],
  ],
  [
    'the site of a sign-in elsewhere',
    'message',
    [utf8(`bank.example wants you to sign in with your Solana account:\n${publicKey.toBase58()}`)],
    ['This signs you in to bank.example. app.example asks for it'],
  ],
  [
    'amount, new recipient and fee of a transaction',
    'transaction',
    [transaction.serialize({ requireAllSignatures: false })],
    ['0.25 SOL', recipient.toBase58(), 'First time you send here', '0.000005 SOL'],
  ],
  ['a transaction that nothing can read', 'transaction', [Uint8Array.of(1)], ['Something this wallet cannot read']],
  ['the fields of typed data', 'typedData', [utf8(ORDER)], ['Sign this data?', 'Shop', 'Tea']],
  ['typed data that nothing can read', 'typedData', [utf8('{}')], ['Something this wallet cannot read']],
])('shows %s, and a user who cancels signs nothing', async (_, kind, contents, texts) => {
  const shown = await show(kind, ...contents)
  for (const text of texts) expect(shown).toContain(text)
})
