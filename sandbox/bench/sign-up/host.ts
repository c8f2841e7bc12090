/** Host page whose users get a wallet when they sign up, driven by the bench. */
import { account } from '@keybay/account'
import { createKeybay } from '@keybay/kernel'
import { phone } from '@keybay/one-time-code'
import { waas } from '@keybay/waas'
import { answerCodes, text } from '../harness/host.js'

const keybay = createKeybay({
  appName: 'Bench',
  environmentId: 'local',
  baseApiUrl: text('api'),
  plugins: [account(), phone(), waas({ frameHost: text('frame'), baseMPCRelayApiUrl: text('relay') })],
})

const newUser = {
  /**
   * Signs up a new user.
   * @returns ms from the user's last action, the code, to the session, and to a connected wallet
   */
  async signUp(phoneNumber: string): Promise<{ readonly session: number; readonly wallet: number }> {
    let submitted = 0
    answerCodes(keybay, () => {
      submitted = performance.now()
    })
    const wallet = new Promise<number>((resolve, reject) => {
      keybay.accounts.subscribe(() => {
        if (keybay.accounts.list().length > 0) resolve(performance.now())
      })
      keybay.on('waas:failed', ({ error }) => reject(error))
    })
    await keybay.account.signIn('phone', { phoneNumber })
    const session = performance.now()
    return { session: session - submitted, wallet: (await wallet) - submitted }
  },
}
declare global {
  interface Window {
    newUser: typeof newUser
  }
}
window.newUser = newUser
