/** The page of a host: the kit as a customer uses it, with what a test needs to drive it. */
import { account } from '@keybay/account'
import { createKeybay, toKeybayError } from '@keybay/kernel'
import { email } from '@keybay/one-time-code'
import { waas } from '@keybay/waas'

const query = new URLSearchParams(location.search)
const text = (name: string): string => query.get(name) ?? ''

const keybay = createKeybay({
  appName: 'Acme',
  environmentId: 'local',
  baseApiUrl: text('api'),
  plugins: [account(), email(), waas({ frameHost: text('frame'), baseMPCRelayApiUrl: text('relay') })],
})
const outcome = async (promise: Promise<unknown>): Promise<{ value?: unknown; code?: string; message?: string }> => {
  try {
    return { value: await promise }
  } catch (thrown) {
    const { code, message } = toKeybayError(thrown)
    return { code, message }
  }
}
/** Signs in by a code that `codeFor` brings: the test reads it from the inbox. */
const signIn = async (address: string): Promise<void> => {
  const off = keybay.prompts.subscribe(() => {
    for (const prompt of keybay.prompts.list())
      if (prompt.type === 'one-time-code')
        window
          .codeFor(address)
          .then(code => prompt.submit(code))
          .then(prompt.answer)
  })
  try {
    await keybay.account.signIn('email', { email: address })
  } finally {
    off()
  }
}
const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), character => character.charCodeAt(0))
const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** The wallet's account of this address, connected. */
const accountOf = async (address: string) => {
  const { accounts } = await keybay.connect('waas')
  const account = accounts.find(one => one.address === address)
  if (!account) throw new Error('no such account')
  return account
}
const feature = (name: string) => Reflect.get(keybay.connectors.get('waas')?.wallet.features ?? {}, name)
const signBytes = async (address: string, message: string): Promise<string> => {
  const account = await accountOf(address)
  const [output] = await feature('solana:signMessage').signMessage({ account, message: fromBase64(message) })
  return toBase64(output.signature)
}
const signMessage = (address: string, message: string): Promise<string> =>
  signBytes(address, toBase64(new TextEncoder().encode(message)))
const signTransaction = async (address: string, transaction: string): Promise<string> => {
  const account = await accountOf(address)
  const [output] = await feature('solana:signTransaction').signTransaction({
    account,
    transaction: fromBase64(transaction),
  })
  return toBase64(output.signedTransaction)
}
const host = { keybay, outcome, signIn, signBytes, signMessage, signTransaction }
export type Host = typeof host
declare global {
  interface Window {
    host: Host
    codeFor(address: string): Promise<string>
    /** The code of an authenticator app, now. */
    totp(secret: string): Promise<string>
  }
}
window.host = host
