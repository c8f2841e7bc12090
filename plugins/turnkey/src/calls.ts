/** Custody calls other than signing: users, passkeys, accounts, the activity log, exports. */
import { accountNotFound, recordInvalid } from '@keybay/kernel/spec'
import type { AddAccountOptions, CustodyActivity, CustodyUser, ExportTarget } from './api.js'
import { turnkeyError } from './errors.js'
import { createPasskey } from './passkey.js'
import type { Client, Result } from './service.js'
import type { Sessions, Submit } from './session.js'
import type { Tools } from './tools.js'

/** Wallet with one of its Solana accounts, which the export window uses to check the recovery phrase. */
interface WordsWallet {
  readonly walletId: string
  readonly address: string
  readonly path: string
}

const FORMS = {
  SOL: {
    curve: 'CURVE_ED25519',
    addressFormat: 'ADDRESS_FORMAT_SOLANA',
    getPath: (index: number) => `m/44'/501'/${index}'/0'`,
  },
  EVM: {
    curve: 'CURVE_SECP256K1',
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
    getPath: (index: number) => `m/44'/60'/0'/0/${index}`,
  },
} as const
/** @throws KeybayError `record_invalid` for a completed activity without a result */
function requireText(text: string | undefined): string {
  if (!text) throw turnkeyError(recordInvalid, { detail: 'custody sent no result' })
  return text
}

export class Calls {
  readonly #tools: Tools
  readonly #sessions: Sessions
  readonly #organization: () => Promise<string>

  constructor(tools: Tools, sessions: Sessions, organization: () => Promise<string>) {
    this.#tools = tools
    this.#sessions = sessions
    this.#organization = organization
  }

  async user(): Promise<CustodyUser> {
    const { userId, userName, userEmail, authenticators } = await this.#readUser()
    const passkeys = authenticators.map(({ authenticatorId: id, authenticatorName: name }) => ({ id, name }))
    return { userId, userName, email: userEmail, passkeys }
  }

  async addAccount({ chain, path }: AddAccountOptions): Promise<string> {
    const { curve, addressFormat, getPath } = FORMS[chain]
    const existing = await this.#readAccounts()
    const paths = existing.filter(account => account.addressFormat === addressFormat).map(account => account.path)
    let index = 0
    while (paths.includes(getPath(index))) index++
    const parameters = {
      walletId: existing[0]?.walletId ?? '',
      accounts: [{ curve, addressFormat, pathFormat: 'PATH_FORMAT_BIP32' as const, path: path ?? getPath(index) }],
    }
    const { createWalletAccountsResult } = await this.#sessions.act(await this.#organization(), (client, envelope) =>
      client.createWalletAccounts({ ...envelope, type: 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', parameters }),
    )
    return requireText(createWalletAccountsResult?.addresses[0])
  }

  /** Returns the passkey's ID at the custody service. */
  async addPasskey(authenticatorName: string): Promise<string> {
    // Created first, to stay within the click.
    const passkey = await createPasskey(this.#tools, authenticatorName)
    const { userId, authenticators } = await this.#readUser()
    // Excludes the new passkey, which is on this device but not yet known to the custody service.
    const passkeys = authenticators.map(({ credentialId }) => credentialId)
    const parameters = { userId, authenticators: [{ authenticatorName, ...passkey }] }
    const { createAuthenticatorsResult } = await this.#confirm(
      (client, envelope) =>
        client.createAuthenticators({ ...envelope, type: 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', parameters }),
      passkeys,
    )
    return requireText(createAuthenticatorsResult?.authenticatorIds[0])
  }

  async updateEmail(userEmail: string): Promise<void> {
    const parameters = { userId: (await this.#readUser()).userId, userEmail }
    await this.#confirm((client, envelope) =>
      client.updateUserEmail({ ...envelope, type: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', parameters }),
    )
  }

  async activities(): Promise<readonly CustodyActivity[]> {
    const { activities } = await this.#use((client, organizationId) => client.getActivities({ organizationId }))
    return activities.map(({ id, type, status, createdAt: { seconds, nanos } }) => ({
      id,
      type,
      status,
      createdAt: Number(seconds) * 1000 + Math.floor(Number(nanos) / 1_000_000),
    }))
  }

  /** @throws KeybayError `account_not_found` */
  async getWordsWallet(address: string): Promise<WordsWallet> {
    const accounts = await this.#readAccounts()
    const walletId = accounts.find(account => account.address === address)?.walletId
    const proof = accounts.find(
      account => account.walletId === walletId && account.addressFormat === FORMS.SOL.addressFormat,
    )
    if (!proof) throw turnkeyError(accountNotFound, { detail: 'no Solana account to check the words by' })
    return { walletId: proof.walletId, address: proof.address, path: proof.path }
  }

  async exportWallet(walletId: string, { targetPublicKey }: ExportTarget): Promise<string> {
    const parameters = { walletId, targetPublicKey }
    const { exportWalletResult } = await this.#confirm((client, envelope) =>
      client.exportWallet({ ...envelope, type: 'ACTIVITY_TYPE_EXPORT_WALLET', parameters }),
    )
    return requireText(exportWalletResult?.exportBundle)
  }

  async exportWalletAccount(address: string, { targetPublicKey }: ExportTarget): Promise<string> {
    const parameters = { address, targetPublicKey }
    const { exportWalletAccountResult } = await this.#confirm((client, envelope) =>
      client.exportWalletAccount({ ...envelope, type: 'ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT', parameters }),
    )
    return requireText(exportWalletAccountResult?.exportBundle)
  }

  async exportPrivateKey(privateKeyId: string, { targetPublicKey }: ExportTarget): Promise<string> {
    const parameters = { privateKeyId, targetPublicKey }
    const { exportPrivateKeyResult } = await this.#confirm((client, envelope) =>
      client.exportPrivateKey({ ...envelope, type: 'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', parameters }),
    )
    return requireText(exportPrivateKeyResult?.exportBundle)
  }

  async #use<T>(run: (client: Client, organizationId: string) => Promise<T>): Promise<T> {
    const organizationId = await this.#organization()
    return this.#sessions.use(organizationId, client => run(client, organizationId))
  }

  /** Submits an activity that a session key can't authorize: each one needs the passkey. */
  async #confirm(submit: Submit, passkeys?: readonly string[]): Promise<Result> {
    return this.#sessions.confirm(await this.#organization(), submit, passkeys)
  }

  #readUser() {
    return this.#use(async (client, organizationId) => {
      const { userId } = await client.getWhoami({ organizationId })
      return (await client.getUser({ organizationId, userId })).user
    })
  }

  #readAccounts() {
    return this.#use(async (client, organizationId) => (await client.getWalletAccounts({ organizationId })).accounts)
  }
}
