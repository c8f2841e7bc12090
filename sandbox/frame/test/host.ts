/** Runs the kit in a host's page as a customer does, with helpers for tests. */
import { account } from '@keybay/account'
import { createKeybay, toKeybayError } from '@keybay/kernel'
import { email } from '@keybay/one-time-code'
import { type ExternalBackup, type OpenGrant, waas } from '@keybay/waas'

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
  plugins: [
    account(),
    email(),
    waas({
      frameHost: text('frame'),
      baseMPCRelayApiUrl: text('relay'),
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
/** Signs in with a code from `codeFor`, which the test reads from the inbox. */
async function signIn(address: string): Promise<void> {
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
/** Returns the wallet's connected account with this address. */
async function getAccount(address: string) {
  const { accounts } = await keybay.connect('waas')
  const account = accounts.find(account => account.address === address)
  if (!account) throw new Error('no such account')
  return account
}

function feature(name: string) {
  return Reflect.get(keybay.connectors.get('waas')?.wallet.features ?? {}, name)
}

async function signBytes(address: string, message: string): Promise<string> {
  const account = await getAccount(address)
  const [output] = await feature('solana:signMessage').signMessage({ account, message: fromBase64(message) })
  return toBase64(output.signature)
}

function signMessage(address: string, message: string): Promise<string> {
  return signBytes(address, toBase64(new TextEncoder().encode(message)))
}

async function signTransaction(address: string, transaction: string): Promise<string> {
  const account = await getAccount(address)
  const [output] = await feature('solana:signTransaction').signTransaction({
    account,
    transaction: fromBase64(transaction),
  })
  return toBase64(output.signedTransaction)
}
/** Signs typed data with an EVM account. @returns 0x… */
async function signTypedData(address: string, typedData: string): Promise<string> {
  return (await feature('keybay:signTypedData').signTypedData({ account: await getAccount(address), typedData }))
    .signature
}

async function signEvmMessage(address: string, message: string): Promise<string> {
  const account = await getAccount(address)
  return (await feature('evm:signMessage').signMessage({ account, message: new TextEncoder().encode(message) }))
    .signature
}

async function signEvmTransaction(address: string, transaction: string): Promise<string> {
  const account = await getAccount(address)
  const bytes = fromBase64(transaction)
  return toBase64(
    (await feature('evm:signTransaction').signTransaction({ account, transaction: bytes })).signedTransaction,
  )
}
/** Signs a PSBT with a Bitcoin account. @returns base64 */
async function signPsbt(address: string, psbt: string): Promise<string> {
  const account = await getAccount(address)
  return toBase64(
    (await feature('bitcoin:signTransaction').signTransaction({ account, psbt: fromBase64(psbt) })).signedPsbt,
  )
}
const host = {
  keybay,
  opened,
  outcome,
  signIn,
  getAccount,
  signBytes,
  signMessage,
  signTransaction,
  signTypedData,
  signEvmMessage,
  signEvmTransaction,
  signPsbt,
}
export type Host = typeof host
declare global {
  interface Window {
    host: Host
    codeFor(address: string): Promise<string>
    /** Returns the current code of an authenticator app. */
    totp(secret: string): Promise<string>
    /** Saves, loads or erases a backup for a page that keeps backups itself. */
    keepBackup(action: 'save' | 'load' | 'erase', name: object, envelope?: string): Promise<string | undefined>
  }
}
window.host = host
