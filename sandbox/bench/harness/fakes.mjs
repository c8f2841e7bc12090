/**
 * Wallets that hold no key and answer at once, so that the bench measures only the kit's own time. Playwright injects
 * the source of these functions before any page script, as an extension's content script runs, so no function may refer
 * to anything outside itself.
 */

export function installState() {
  window.bench = { evalStart: 0, evalEnd: 0, renders: 0, lastRender: 0, listed: -1, listedAt: [], signed: 0 }
}

/** Wallet Standard wallets, `Fake 0` and so on. @param {number} wallets */
export function installSolana(wallets) {
  const icon = 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4='
  const chains = ['solana:mainnet', 'solana:devnet']
  const signing = ['solana:signMessage', 'solana:signTransaction', 'solana:signAndSendTransaction']
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  /** @param {Uint8Array} bytes */
  const base58 = bytes => {
    let text = ''
    for (let n = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n); n > 0n; n /= 58n)
      text = alphabet[Number(n % 58n)] + text
    return text
  }
  /** @param {number} index */
  const create = index => {
    /** @type {Set<(change: { accounts: readonly object[] }) => void>} */
    const listeners = new Set()
    /** @type {readonly object[]} */
    let accounts = []
    /** @param {number} count */
    const use = count => {
      accounts = Array.from({ length: count }, (_, nth) => {
        const publicKey = new Uint8Array(32).fill(1)
        publicKey.set([nth, index >> 8, index & 255], 29)
        return { address: base58(publicKey), publicKey, chains, features: signing }
      })
      for (const listener of [...listeners]) listener({ accounts })
      return listeners.size
    }
    const supportedTransactionVersions = ['legacy', 0]
    /** @param {readonly { message: Uint8Array }[]} inputs */
    const signMessage = async (...inputs) =>
      inputs.map(({ message }) => ({ signedMessage: message, signature: new Uint8Array(64) }))
    /** @param {readonly { transaction: Uint8Array }[]} inputs */
    const signTransaction = async (...inputs) => inputs.map(({ transaction }) => ({ signedTransaction: transaction }))
    /** @param {readonly object[]} inputs */
    const signAndSendTransaction = async (...inputs) => inputs.map(() => ({ signature: new Uint8Array(64) }))
    const version = '1.0.0'
    const wallet = {
      version,
      name: `Fake ${index}`,
      icon,
      chains,
      get accounts() {
        return accounts
      },
      features: {
        'standard:connect': {
          version,
          connect: async () => {
            use(1)
            return { accounts }
          },
        },
        'standard:disconnect': {
          version,
          disconnect: async () => {
            use(0)
          },
        },
        'standard:events': {
          version,
          /** @param {string} _event @param {(change: { accounts: readonly object[] }) => void} listener */
          on: (_event, listener) => {
            listeners.add(listener)
            return () => listeners.delete(listener)
          },
        },
        'solana:signMessage': { version, signMessage },
        'solana:signTransaction': { version, supportedTransactionVersions, signTransaction },
        'solana:signAndSendTransaction': { version, supportedTransactionVersions, signAndSendTransaction },
      },
    }
    return { wallet, change: use }
  }
  /** @type {import('./page.js').FakeWallet[]} */
  const list = []
  const add = () => {
    const { wallet, change } = create(list.length)
    list.push({ change })
    /** @param {{ register(wallet: object): void }} api */
    const callback = ({ register }) => register(wallet)
    window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }))
    window.addEventListener('wallet-standard:app-ready', event => {
      // Wallet Standard's event is not a CustomEvent.
      if ('detail' in event) callback(/** @type {{ register(wallet: object): void }} */ (event.detail))
    })
  }
  window.fakes = { list, add }
  for (let index = 0; index < wallets; index++) add()
}

/** EIP-6963 providers, for kits of EVM chains. @param {number} wallets */
export function installEvm(wallets) {
  const icon = 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4='
  /** @param {number} index */
  const create = index => {
    /** @type {Map<string, Set<(payload: unknown) => void>>} */
    const listeners = new Map()
    /** @param {number} count */
    const accounts = count =>
      Array.from({ length: count }, (_, nth) => `0x${(index * 16 + nth).toString(16).padStart(40, '1')}`)
    /** @type {Readonly<Record<string, () => unknown>>} */
    const answers = {
      eth_requestAccounts: () => accounts(1),
      eth_accounts: () => accounts(1),
      eth_chainId: () => '0x1',
      personal_sign: () => `0x${'11'.repeat(65)}`,
      wallet_requestPermissions: () => [
        { parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: accounts(1) }] },
      ],
    }
    const provider = {
      /** @param {string} event @param {(payload: unknown) => void} listener */
      on(event, listener) {
        const those = listeners.get(event) ?? new Set()
        listeners.set(event, those.add(listener))
        return provider
      },
      /** @param {string} event @param {(payload: unknown) => void} listener */
      removeListener(event, listener) {
        listeners.get(event)?.delete(listener)
        return provider
      },
      /** @param {{ method: string }} request */
      request: async ({ method }) => answers[method]?.() ?? null,
    }
    const uuid = `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`
    const detail = Object.freeze({ info: { uuid, name: `Fake ${index}`, icon, rdns: `fake.w${index}` }, provider })
    /** @param {number} count */
    const change = count => {
      const those = [...(listeners.get('accountsChanged') ?? [])]
      for (const listener of those) listener(accounts(count))
      return those.length
    }
    return { detail, change }
  }
  /** @type {import('./page.js').FakeWallet[]} */
  const list = []
  const add = () => {
    const { detail, change } = create(list.length)
    list.push({ change })
    const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    window.addEventListener('eip6963:requestProvider', announce)
    announce()
  }
  window.fakes = { list, add }
  for (let index = 0; index < wallets; index++) add()
}
