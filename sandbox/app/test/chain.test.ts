import bs58 from 'bs58'
import nacl from 'tweetnacl'
import { expect, it } from 'vitest'
import { at, list, number, text, texts } from '../src/chain/rpc.js'
import { readTransaction } from '../src/explorer/transaction.js'
import { verifyMessage } from '../src/sign/verify-card.js'

it('reads fields of unknown JSON, and returns undefined for missing or inherited fields', () => {
  const answer = JSON.parse('{"a":[{"b":"c"},7],"__proto__":{"d":1}}')
  expect([text(at(answer, 'a', 0, 'b')), number(at(answer, 'a', 1)), at(answer, 'a', 9, 'b')]).toEqual([
    'c',
    7,
    undefined,
  ])
  expect([at(null, 'a'), at('text', 'length'), at(answer, 'toString')]).toEqual([undefined, undefined, undefined])
  expect([list('abc'), texts(['a', 1, null])]).toEqual([[], ['a']])
})

it('shows a transaction of which the node returns no details', () => {
  expect(readTransaction({}, 'processed')).toMatchObject({
    fee: 0,
    error: undefined,
    instructions: [],
    changes: [],
    logs: [],
  })
})

it('distinguishes a valid signature, a changed message and an unreadable signature', () => {
  const { publicKey, secretKey } = nacl.sign.keyPair()
  const address = bs58.encode(publicKey)
  const signature = bs58.encode(nacl.sign.detached(new TextEncoder().encode('Grüße'), secretKey))
  expect(verifyMessage('Grüße', ` ${signature}\n`, address)).toBe('valid')
  expect(verifyMessage('Grüsse', signature, address)).toBe('invalid')
  expect(verifyMessage('Grüße', signature, bs58.encode(nacl.sign.keyPair().publicKey))).toBe('invalid')
  expect(verifyMessage('Grüße', 'no signature', address)).toBe('unreadable')
})
