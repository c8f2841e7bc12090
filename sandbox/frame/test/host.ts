/** Runs the kit in a host's page as a customer does, with helpers for tests. */
import { account } from '@keybay/account'
import { createKeybay, toKeybayError } from '@keybay/kernel'
import { email } from '@keybay/one-time-code'
import { type ExternalBackup, type OpenGrant, waas } from '@keybay/waas'
import { openPlace } from '@keybay/waas/protocol'

const query = new URLSearchParams(location.search)

function text(name: string): string {
  return query.get(name) ?? ''
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), character => character.charCodeAt(0))
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/** The page's own storage for backups, which the test controls. */
const external: ExternalBackup = {
  save: (envelope, about) => window.keepBackup('save', about, toBase64(envelope)).then(() => {}),
  load: async name => {
    const text = await window.keepBackup('load', name)
    return text ? fromBase64(text) : undefined
  },
  erase: name => window.keepBackup('erase', name).then(() => {}),
}

/** Opens windows with the page's own function, and records their addresses. */
const opened: string[] = []
const openGrant: OpenGrant = url => {
  opened.push(url)
  return window.open(url, 'own', 'popup')
}

const keybay = createKeybay({
  appName: 'Acme',
  environmentId: 'local',
  baseApiUrl: text('api'),
  cookieStorage: query.has('cookies'),
  plugins: [
    account(),
    email(),
    waas({
      frameHost: text('frame'),
      baseMPCRelayApiUrl: text('relay'),
      traceparent: () => window.traceparent,
      ...(!query.has('creates') && { createOnLogin: 'off' }),
      ...(query.has('keeper') && { external, openGrant }),
      ...(query.has('chains') && { chains: ['SOL', 'EVM', 'BTC'] }),
    }),
  ],
})

async function outcome(promise: Promise<unknown>): Promise<{ value?: unknown; code?: string; message?: string }> {
  try {
    return { value: await promise }
  } catch (thrown) {
    const { code, message } = toKeybayError(thrown)
    return { code, message }
  }
}
/**
 * Answers the prompts of a sign-in with a code from `codeFor`, which the test reads from the inbox.
 * @param secret of an authenticator app
 */
function answerSignIn(address: string, secret = ''): () => void {
  const answered = new Set<string>()
  return keybay.prompts.subscribe(() => {
    for (const prompt of keybay.prompts.list()) {
      if (answered.has(prompt.promptId)) continue
      answered.add(prompt.promptId)
      if (prompt.type === 'choice') {
        signedInAgain.push(address)
        prompt.answer(prompt.options[0]?.id ?? '')
      }
      if (prompt.type === 'mfa') {
        const deviceId = prompt.devices[0]?.id ?? ''
        window
          .totp(secret)
          .then(code => prompt.submit({ deviceId, code }))
          .then(prompt.answer)
          .catch(prompt.cancel)
      }
      if (prompt.type === 'one-time-code')
        window
          .codeFor(address)
          .then(code => prompt.submit(code))
          .then(prompt.answer)
          .catch(prompt.cancel)
    }
  })
}
/** Addresses that were asked to sign in again. */
const signedInAgain: string[] = []
async function signIn(address: string): Promise<void> {
  const off = answerSignIn(address)
  try {
    await keybay.account.signIn('email', { email: address })
  } finally {
    off()
  }
}
/** Uses a feature of the wallet with the connected account of this address. */
async function use(feature: string, method: string, address: string, input: object) {
  const { accounts } = await keybay.connect('waas')
  const account = accounts.find(account => account.address === address)
  if (!account) throw new Error('no such account')
  const { features } = keybay.connectors.get('waas').wallet
  return Reflect.get(Reflect.get(features, feature), method)({ account, ...input })
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Each takes the content as text or base64, and returns the result as hexadecimal text (EVM) or base64. */
const signing = {
  async signBytes(address: string, bytes: string): Promise<string> {
    const [output] = await use('solana:signMessage', 'signMessage', address, { message: fromBase64(bytes) })
    return toBase64(output.signature)
  },
  signMessage: (address: string, message: string): Promise<string> =>
    signing.signBytes(address, toBase64(utf8(message))),
  async signTransaction(address: string, base64: string): Promise<string> {
    const input = { transaction: fromBase64(base64) }
    const [output] = await use('solana:signTransaction', 'signTransaction', address, input)
    return toBase64(output.signedTransaction)
  },
  signRawMessage: async (address: string, message: string): Promise<string> =>
    toBase64((await use('keybay:signRawMessage', 'signRawMessage', address, { message })).signature),
  signTypedData: async (address: string, typedData: string): Promise<string> =>
    (await use('keybay:signTypedData', 'signTypedData', address, { typedData })).signature,
  signEvmMessage: async (address: string, message: string): Promise<string> =>
    (await use('evm:signMessage', 'signMessage', address, { message: utf8(message) })).signature,
  async signEvmTransaction(address: string, base64: string): Promise<string> {
    const input = { transaction: fromBase64(base64) }
    return toBase64((await use('evm:signTransaction', 'signTransaction', address, input)).signedTransaction)
  },
  async signPsbt(address: string, base64: string): Promise<string> {
    const input = { psbt: fromBase64(base64) }
    return toBase64((await use('bitcoin:signTransaction', 'signTransaction', address, input)).signedPsbt)
  },
}

/** Calls an operation by name. */
function call(method: keyof typeof keybay.waas, args: readonly unknown[]) {
  return Reflect.apply(keybay.waas[method], undefined, args)
}

const host = { keybay, opened, outcome, signIn, answerSignIn, signedInAgain, call, openPlace, ...signing }
export type Signing = typeof signing
export type Host = typeof host
declare global {
  interface Window {
    host: Host
    /** Trace of what the page does. */
    traceparent?: string
    codeFor(address: string): Promise<string>
    /** Returns the current code of an authenticator app. */
    totp(secret: string): Promise<string>
    /** Saves, loads or erases a backup for a page that keeps backups itself. */
    keepBackup(action: 'save' | 'load' | 'erase', name: object, envelope?: string): Promise<string | undefined>
  }
}
window.host = host
