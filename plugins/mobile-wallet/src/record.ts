/** What outlives the page: the authorisation. Its token is sealed. */
import { createVault } from '@keybay/deep-link/vault'
import type { Kernel } from '@keybay/kernel'

export interface Authorisation {
  /** For Solana's chain of this name, e.g. `solana:mainnet`. */
  readonly chain: string
  readonly accounts: readonly { readonly address: string; readonly label?: string }[]
  /** The wallet's secret with this app. */
  readonly token: string
  /** Where this very wallet is called, https; empty: the phone asks which one. */
  readonly uriBase: string
}
export interface AuthorisationRecord {
  get(): Promise<Authorisation | undefined>
  /** Where the browser keeps nothing sealed, it lasts as long as the page. */
  set(authorisation: Authorisation): Promise<void>
  remove(): Promise<void>
}

const KEY = 'mobile-wallet:authorisation'
const ABOUT = 'authorisation'

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

export function isAuthorisation(value: unknown): value is Authorisation {
  const { chain, accounts, token, uriBase } = Object(value)
  return (
    [chain, token, uriBase].every(isText) &&
    Array.isArray(accounts) &&
    accounts.length > 0 &&
    accounts.every(({ address, label }) => isText(address) && isText(label ?? ''))
  )
}

export function createRecord({ storage, config }: Pick<Kernel, 'storage' | 'config'>): AuthorisationRecord {
  const vault = createVault(`${config.environmentId}:mobile-wallet`, 'key')
  let memory: Authorisation | undefined
  return {
    async get() {
      const stored = await storage.get(KEY)
      const opened = isText(stored) ? await vault.open(stored, ABOUT) : undefined
      return isAuthorisation(opened) ? opened : memory
    },
    async set(authorisation) {
      memory = authorisation
      const sealed = await vault.seal(authorisation, ABOUT).catch(() => undefined)
      if (sealed === undefined) await storage.remove(KEY)
      else await storage.set(KEY, sealed)
    },
    async remove() {
      memory = undefined
      await Promise.all([storage.remove(KEY), vault.forget()])
    },
  }
}
