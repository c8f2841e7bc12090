/** Stores the authorisation. It is sealed, because its token lets the app send requests to the wallet. */
import { createVault } from '@keybay/deep-link/vault'
import type { Kernel } from '@keybay/kernel'
import { field } from '@keybay/kernel/spec'

export interface Authorisation {
  /** A Solana chain, for example `solana:mainnet`. */
  readonly chain: string
  readonly accounts: readonly { readonly address: string; readonly label?: string }[]
  /** The secret that the wallet knows this app by. */
  readonly token: string
  /** The https address that opens this wallet; empty: the phone asks which wallet. */
  readonly uriBase: string
  /** Features of the wallet. Absent in older records: it can sign and send. */
  readonly capabilities?: Capabilities
}
export interface Capabilities {
  readonly signs: boolean
  readonly sends: boolean
}
export interface AuthorisationRecord {
  get(): Promise<Authorisation | undefined>
  /** Takes effect at once and never throws. Lasts as long as the page where the browser cannot store a key. */
  set(authorisation: Authorisation): void
  stored(): Promise<void>
  remove(): Promise<void>
}

const KEY = 'mobile-wallet:authorisation'
const SEALED_AS = 'authorisation'

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isAuthorisation(value: unknown): value is Authorisation {
  const accounts = field(value, 'accounts')
  return (
    ['chain', 'token', 'uriBase'].every(name => isText(field(value, name))) &&
    Array.isArray(accounts) &&
    accounts.length > 0 &&
    accounts.every(account => isText(field(account, 'address')) && isText(field(account, 'label') ?? ''))
  )
}

export function createRecord({
  storage,
  config,
  logger,
}: Pick<Kernel, 'storage' | 'config' | 'logger'>): AuthorisationRecord {
  const vault = createVault(`${config.environmentId}:mobile-wallet`, 'key')
  let memory: Authorisation | undefined
  let saving = Promise.resolve()
  const save = async (authorisation: Authorisation) => {
    const sealed = await vault.seal(authorisation, SEALED_AS).catch(() => undefined)
    if (sealed === undefined) await storage.remove(KEY)
    else await storage.set(KEY, sealed)
  }
  return {
    async get() {
      await saving
      // Storage first: another tab may have used the wallet since, and each use ends the token before it.
      const stored = await storage.get(KEY)
      const opened = isText(stored) ? await vault.open(stored, SEALED_AS) : undefined
      return isAuthorisation(opened) ? opened : memory
    },
    set(authorisation) {
      memory = authorisation
      saving = saving.then(() => save(authorisation)).catch(error => logger.debug('mobile wallet: not stored', error))
    },
    stored: () => saving,
    async remove() {
      memory = undefined
      await saving
      await Promise.all([storage.remove(KEY), vault.forget()])
    },
  }
}
