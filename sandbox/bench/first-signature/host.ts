/** Host page with an embedded wallet, driven by the bench. */
import { account } from '@keybay/account'
import { createKeybay } from '@keybay/kernel'
import { phone } from '@keybay/one-time-code'
import { waas } from '@keybay/waas'
import { answerCodes, text } from '../harness/host.js'

const keybay = createKeybay({
  appName: 'Bench',
  environmentId: 'local',
  baseApiUrl: text('api'),
  plugins: [
    account(),
    phone(),
    waas({ frameHost: text('frame'), baseMPCRelayApiUrl: text('relay'), createOnLogin: 'off' }),
  ],
})

const bench = {
  /** Creates a user with a 2-of-2 wallet that signs messages unasked, once the user agrees to that in its window. */
  async begin(phoneNumber: string): Promise<void> {
    answerCodes(keybay)
    await keybay.account.signIn('phone', { phoneNumber })
    const { wallet } = await keybay.waas.createWallet({ scheme: 'TWO_OF_TWO' })
    await keybay.waas.setPolicy(wallet.accountAddress, { programs: [], messages: true })
  },
  /** Loads the hidden frame, which starts the warm-up. */
  async connect(): Promise<void> {
    await keybay.connect('waas')
  },
  /** @returns time from the call to the signature, in ms */
  async sign(): Promise<number> {
    const { accounts } = await keybay.connect('waas')
    const [account] = accounts
    const feature = keybay.connectors.get('waas')?.wallet.features['solana:signMessage']
    if (!account || !feature) throw new Error('no wallet')
    const started = performance.now()
    await feature.signMessage({ account, message: new TextEncoder().encode('the first signature after a load') })
    return performance.now() - started
  },
}
declare global {
  interface Window {
    signer: typeof bench
  }
}
window.signer = bench
