// @vitest-environment happy-dom
/** Attacks the custody window from a page that may embed it. The end-to-end tests use it in a browser. */
import { utf8 } from '@keybay/kernel/spec'
import { expect, it } from 'vitest'
import { startExportFrame } from '../../src/turnkey-export/start.js'

const hostOrigin = 'https://app.example'
const opening = { environmentId: 'local', asks: false, parentOrigins: [hostOrigin] }
const asking = { environmentId: 'local', asks: true, parentOrigins: [hostOrigin], rpcUrl: 'https://rpc.example' }
const OPENING = '/turnkey-export-v1/local'
const ASKING = '/turnkey-sign-v1/local'
const SOLANA = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2'
const EVM = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'

/** Loads the window at an address, as the page that embeds it. */
async function load(configuration: object, path: string) {
  const place = document.createElement('div')
  const incoming = new EventTarget()
  const { port1: port, port2 } = new MessageChannel()
  const received: string[] = []
  port.onmessage = ({ data }) => received.push(data.type)
  let exchange = ''
  const connect = (ready: { readonly exchange: string }) => {
    exchange = ready.exchange
    const data = { type: 'keybay:waas:port', instanceId: '1', exchange: 'nonce', view: 'visible' }
    const event = { source: parent, origin: hostOrigin, data, ports: [port2] }
    queueMicrotask(() => incoming.dispatchEvent(Object.assign(new Event('message'), event)))
  }
  const parent: Window = Object.create(window, { postMessage: { value: connect } })
  const href = `https://wallet.example${path}?hostOrigin=${hostOrigin}&instanceId=1`
  const self: Window = Object.create(window, {
    location: { value: { href } },
    parent: { value: parent },
    addEventListener: { value: incoming.addEventListener.bind(incoming) },
  })
  await startExportFrame({ configuration, self, place })
  const begin = (sign?: { readonly kind: string; readonly address: string }) =>
    port.postMessage({ type: 'begin', exchange, sign: sign && { ...sign, contents: [utf8('hello')] } })
  return { place, received, begin }
}

it.each([ASKING, '/%74urnkey-sign-v1/local', `${ASKING}.html`])(
  'the page that reaches a node makes no key for an export, and asks, at %s',
  async path => {
    const { place, received, begin } = await load(asking, path)
    begin()
    begin({ kind: 'message', address: SOLANA })
    await expect.poll(() => place.querySelector('h1')?.textContent).toBe('Sign this message?')
    expect(received).not.toContain('target')
  },
)

it.each([OPENING, '/%74urnkey-export-v1/local', ASKING])(
  'the page that shows keys asks about no signature, and makes a key for an export, at %s',
  async path => {
    const { place, received, begin } = await load(opening, path)
    begin({ kind: 'message', address: SOLANA })
    begin()
    await expect.poll(() => received).toContain('target')
    expect(place.textContent).not.toContain('Sign')
  },
)

it.each([
  ['message', 'Keybay support: agree to unlock your account'],
  ['message', `${SOLANA}\u202e`],
  ['message', EVM],
  ['transaction', ''],
  ['typedData', SOLANA],
  ['typedData', `${EVM} is safe`],
])('does not show a page’s text as the address of a wallet (%s: %s)', async (kind, address) => {
  const { place, begin } = await load(asking, ASKING)
  begin({ kind, address })
  begin({ kind: 'message', address: SOLANA })
  await expect.poll(() => place.querySelector('h1')?.textContent).toBe('Sign this message?')
  expect(place.querySelector('dd')?.textContent).toBe(SOLANA)
})
