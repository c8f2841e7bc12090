/** Checks that the mobile wallet rejects foreign sessions and invalid messages. */
import { webcrypto } from 'node:crypto'
import { type MobilePhone, startMobilePhone } from '@keybay/sandbox-wallets/mobile'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'

const { subtle } = webcrypto
let phone: MobilePhone
beforeAll(async () => {
  phone = await startMobilePhone()
})
afterAll(() => phone.stop())

function ecdsa() {
  return subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
}

async function buildAssociation({ publicKey }: webcrypto.CryptoKeyPair, port = phone.port) {
  const raw = Buffer.from(await subtle.exportKey('raw', publicKey)).toString('base64url')
  return `solana-wallet:/v1/associate/local?association=${raw}&port=${port}&v=v1`
}
/** Builds the first message of a page. */
async function buildHello({ privateKey }: webcrypto.CryptoKeyPair) {
  const pair = await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
  const point = Buffer.from(await subtle.exportKey('raw', pair.publicKey))
  const signature = await subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, point)
  return Buffer.concat([point, Buffer.from(signature)])
}
/** Sends messages and returns the wallet's reason for closing, or `answered`. */
function talk(messages: readonly Buffer[], protocol = 'com.solana.mobilewalletadapter.v1') {
  return new Promise<string>(resolve => {
    const socket = new WebSocket(`ws://localhost:${phone.port}/solana-wallet`, protocol)
    let sent = 0
    const next = () => {
      const message = messages[sent++]
      if (message) socket.send(message)
      else {
        socket.close()
        resolve('answered')
      }
    }
    socket.on('open', next)
    socket.on('message', next)
    socket.on('close', (_code, reason) => resolve(String(reason)))
    socket.on('error', error => resolve(error.message))
  })
}

it('the mobile wallet opens a session only with the page that opened the app', async () => {
  const [key, otherKey] = [await ecdsa(), await ecdsa()]
  phone.associate(await buildAssociation(key))
  expect(await talk([await buildHello(key)])).toBe('answered')
  expect(await talk([await buildHello(otherKey)])).toBe('HELLO_REQ is signed with another key')
  const short = (await buildHello(key)).subarray(1)
  expect(await talk([short])).toBe('HELLO_REQ has the wrong length')
})
it('the mobile wallet rejects messages that are altered, out of order or too short', async () => {
  const key = await ecdsa()
  phone.associate(await buildAssociation(key))
  const hello = await buildHello(key)
  const first = Buffer.concat([Buffer.from([0, 0, 0, 1]), Buffer.alloc(60, 7)])
  const second = Buffer.concat([Buffer.from([0, 0, 0, 2]), Buffer.alloc(60, 7)])
  expect(await talk([hello, first])).toBe('The message cannot be opened')
  expect(await talk([hello, second])).toBe('The sequence is wrong')
  expect(await talk([hello, Buffer.alloc(3)])).toBe('The message is too short')
})
it('the mobile wallet rejects association addresses with another port, another path or no key', async () => {
  const key = await ecdsa()
  const other = await buildAssociation(key, phone.port - 1)
  expect(() => phone.associate(other)).toThrow(/answers on/)
  expect(() => phone.associate('solana-wallet:/v1/associate/local?port=1')).toThrow(/no association/)
  expect(() => phone.associate('https://example.com/')).toThrow(/no association/)
})
