/** Host page with a custody wallet, driven by the bench. */
import { account } from '@keybay/account'
import { createKeybay } from '@keybay/kernel'
import { phone } from '@keybay/one-time-code'
import { turnkey } from '@keybay/turnkey'
import { answerCodes, text } from '../harness/host.js'

const keybay = createKeybay({
  appName: 'Bench',
  environmentId: 'local',
  baseApiUrl: text('api'),
  plugins: [account(), phone(), turnkey({ baseUrl: text('custody'), signingWindow: false })],
})

const bench = {
  /** Creates a user with a wallet and a session key that signs without the passkey. */
  async begin(phoneNumber: string): Promise<void> {
    answerCodes(keybay)
    await keybay.account.signIn('phone', { phoneNumber })
    await keybay.turnkey.createWallet({ passkeyName: 'Bench' })
    await keybay.connect('turnkey')
    await bench.sign()
  },
  /** @returns time from the call to the signature, in ms */
  async sign(): Promise<number> {
    const { wallet } = keybay.connectors.get('turnkey')
    const [account] = wallet.accounts
    if (!account) throw new Error('no wallet')
    const message = crypto.getRandomValues(new Uint8Array(32))
    const started = performance.now()
    await wallet.features['solana:signMessage'].signMessage({ account, message })
    return performance.now() - started
  },
}
declare global {
  interface Window {
    custody: typeof bench
  }
}
window.custody = bench
