/**
 * Finds secrets that must not appear in the app's storage, addresses or console while a wallet is reached by leaving
 * the page: the exchange's secret key, the key that both sides share, and the session's token. The test learns them as
 * an attacker never could: from the page's own random numbers, and from the phone.
 */
import bs58 from 'bs58'
import type { BrowserContext, Page } from 'playwright-core'
import nacl from 'tweetnacl'

export interface Secrets {
  /** Returns everything in the app that is known to be secret by now; the page must be on the app. */
  leaks(page: Page): Promise<readonly string[]>
  /** Secrets known by now, as addresses write them. */
  readonly known: readonly string[]
}
const KEY_BYTES = 32
/** Returns a secret in every form in which it could have been written. */
function writings(secret: Uint8Array): readonly string[] {
  const bytes = Buffer.from(secret)
  return [
    bs58.encode(secret),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    secret.toString(),
  ]
}
/** Returns everything that this origin stores, as text: bytes in every searched form, keys by their extractability. */
async function readAll(): Promise<string> {
  const contents: unknown[] = [
    { ...localStorage },
    { ...sessionStorage },
    document.cookie,
    location.href,
    history.state,
  ]
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name)
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    for (const store of database.objectStoreNames) {
      const all = database.transaction(store).objectStore(store).getAll()
      await new Promise(resolve => {
        all.onsuccess = resolve
      })
      contents.push([name, store, ...all.result])
    }
    database.close()
  }
  return JSON.stringify(contents, (_key, value) => {
    if (value instanceof CryptoKey) return `key that ${value.extractable ? 'can' : 'cannot'} be read`
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
      const bytes = new Uint8Array(value instanceof ArrayBuffer ? value : value.buffer)
      return [String(bytes), Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')]
    }
    return value
  })
}

/** Call it before the app is opened. @param app its origin @param phone the phone's */
export async function watchSecrets(context: BrowserContext, app: string, phone: string): Promise<Secrets> {
  const random: string[] = []
  const seen: string[] = []
  const secrets = new Map<string, readonly string[]>()
  await context.exposeBinding('sawRandom', (_source, hex: string) => random.push(hex))
  await context.addInitScript(length => {
    const real = crypto.getRandomValues.bind(crypto)
    crypto.getRandomValues = array => {
      const filled = real(array)
      if (filled instanceof Uint8Array && filled.length === length)
        Reflect.get(window, 'sawRandom')(Array.from(filled, byte => byte.toString(16).padStart(2, '0')).join(''))
      return filled
    }
  }, KEY_BYTES)
  context.on('console', message => seen.push(message.text()))
  const add = (name: string, secret: Uint8Array) => secrets.set(`${name} ${bs58.encode(secret)}`, writings(secret))
  /** The app's key of the exchange, the wallet's key, and the response to the connect request. */
  let ours: { readonly publicKey: string; readonly secretKey: Uint8Array } | undefined
  const learn = (url: URL) => {
    const dappKey = url.searchParams.get('dapp_encryption_public_key')
    if (url.origin === phone && dappKey && url.pathname.endsWith('/connect')) {
      const made = random
        .map(hex => new Uint8Array(Buffer.from(hex, 'hex')))
        .find(secret => bs58.encode(nacl.scalarMult.base(secret)) === dappKey)
      if (!made) throw new Error('The exchange’s secret key was not seen')
      ours = { publicKey: dappKey, secretKey: made }
      add('exchange', made)
    }
    const [walletKey] = ['phantom', 'solflare']
      .map(key => url.searchParams.get(`${key}_encryption_public_key`))
      .filter(Boolean)
    if (url.origin !== app || !walletKey || !ours) return
    const key = nacl.box.before(bs58.decode(walletKey), ours.secretKey)
    add('shared', key)
    const [data = '', nonce = ''] = ['data', 'nonce'].map(name => url.searchParams.get(name) ?? '')
    const opened = nacl.box.open.after(bs58.decode(data), bs58.decode(nonce), key)
    const { session } = JSON.parse(new TextDecoder().decode(opened ?? new Uint8Array()))
    add('token', bs58.decode(session))
  }
  const addresses: URL[] = []
  context.on('request', request => {
    if (request.isNavigationRequest()) addresses.push(new URL(request.url()))
  })
  return {
    get known() {
      return [...secrets.keys()]
    },
    async leaks(page) {
      seen.push(...addresses.map(({ href }) => href))
      for (const address of addresses.splice(0)) learn(address)
      const exposedText = [await page.evaluate(readAll), JSON.stringify(await context.cookies()), ...seen].join('\n')
      const readable = exposedText.includes('key that can be read') ? ['a key that can be read'] : []
      const leakedSecrets = [...secrets].filter(([, texts]) => texts.some(text => exposedText.includes(text)))
      return [...readable, ...leakedSecrets.map(([name]) => name)]
    },
  }
}
