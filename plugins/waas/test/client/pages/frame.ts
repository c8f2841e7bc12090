/** The other half of the two-origin tests: a page on the frame's origin that speaks the protocol, and holds no key. */
import { KeybayError, systemClock, toKeybayError } from '@keybay/kernel'
import {
  acceptFromPage,
  consentRequired,
  createReceiver,
  mfaRequired,
  waasProtocol,
} from '../../../src/protocol/index.js'
import { standInWallet } from '../stand-in-wallet.js'

const query = new URLSearchParams(location.search)
const allowedOrigins: readonly string[] = [location.origin.replace('//wallet.', '//app.')]

async function run() {
  const { port, view, checkExchange } = await acceptFromPage({
    self: window,
    hostOrigin: query.get('hostOrigin') ?? '',
    instanceId: query.get('instanceId') ?? '',
    allowedOrigins,
    clock: systemClock,
    timeout: 60_000,
  })
  let token: string | undefined
  createReceiver(
    waasProtocol,
    port,
    {
      sendAuthToken({ exchange, authToken }) {
        checkExchange(exchange)
        token = authToken
        return null
      },
      getWallets: ({ authToken }) => (authToken === token ? [standInWallet] : []),
      isPasswordEncrypted: () => view === 'visible',
      signMessage({ message, mfaToken }) {
        const text = typeof message === 'string' ? message : new TextDecoder().decode(message)
        if (text === 'dear' && view === 'hidden') throw new KeybayError(consentRequired)
        if (text === 'proved' && mfaToken === undefined)
          throw new KeybayError(mfaRequired, { details: { action: 'wallet.waas.sign', requestHash: 'hash' } })
        return { signature: new Uint8Array(64).fill(view === 'visible' ? 2 : 1) }
      },
    },
    { clock: systemClock },
  )
}
// For a test that has to know that everything before has been heard.
addEventListener('message', ({ data }) => {
  if (data === 'mark') document.title += ' marked'
})
run().catch(error => {
  document.title = toKeybayError(error).code
})
