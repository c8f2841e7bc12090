/** Everything but signing: users, passkeys, accounts, the activity log, exports. */
import type { TurnkeyEngineApi } from './api.js'
import { createPasskey } from './passkey.js'
import type { Activity, Client, Result } from './service.js'
import type { Sessions } from './session.js'
import type { Tools } from './tools.js'

export interface Whose {
  readonly sessions: Sessions
  organization(): Promise<string>
}
type Calls = Pick<
  TurnkeyEngineApi,
  | 'addAccount'
  | 'addPasskey'
  | 'user'
  | 'updateEmail'
  | 'activities'
  | 'exportWallet'
  | 'exportWalletAccount'
  | 'exportPrivateKey'
> & {
  /** An account's wallet, and an account on Solana by which its words can be checked. */
  walletOf(address: string): Promise<WalletOfWords>
}
interface WalletOfWords {
  readonly walletId: string
  readonly address: string
  readonly path: string
}

const FORMS = {
  SOL: {
    curve: 'CURVE_ED25519',
    addressFormat: 'ADDRESS_FORMAT_SOLANA',
    pathOf: (index: number) => `m/44'/501'/${index}'/0'`,
  },
  EVM: {
    curve: 'CURVE_SECP256K1',
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
    pathOf: (index: number) => `m/44'/60'/0'/0/${index}`,
  },
} as const

type Submit = (client: Client, organizationId: string) => Promise<Activity>

export function createCalls(tools: Tools, { sessions, organization }: Whose): Calls {
  const {
    kernel,
    fault,
    // The page's own: another import of it would be in the first chunk.
    errors: [, , , accountNotFound],
  } = tools
  const now = () => String(kernel.clock.now())
  const use = async <T>(run: (client: Client, organizationId: string) => Promise<T>): Promise<T> => {
    const organizationId = await organization()
    return sessions.use(organizationId, client => run(client, organizationId))
  }
  const act = async (submit: Submit): Promise<Result> => {
    const organizationId = await organization()
    return sessions.act(organizationId, client => submit(client, organizationId))
  }
  /** Submits what no session key may do. Each request asks for the passkey. */
  const confirm = async (submit: Submit, passkeys?: readonly string[]): Promise<Result> => {
    const organizationId = await organization()
    return sessions.confirm(organizationId, client => submit(client, organizationId), passkeys)
  }
  const readUser = () =>
    use(async (client, organizationId) => {
      const { userId } = await client.getWhoami({ organizationId })
      return (await client.getUser({ organizationId, userId })).user
    })
  const walletAccounts = () =>
    use(async (client, organizationId) => (await client.getWalletAccounts({ organizationId })).accounts)

  const exportWallet: Calls['exportWallet'] = async (walletId, { targetPublicKey }) => {
    const { exportWalletResult } = await confirm((client, organizationId) =>
      client.exportWallet({
        type: 'ACTIVITY_TYPE_EXPORT_WALLET',
        timestampMs: now(),
        organizationId,
        parameters: { walletId, targetPublicKey },
      }),
    )
    return exportWalletResult?.exportBundle ?? ''
  }

  return {
    async user() {
      const { userId, userName, userEmail, authenticators } = await readUser()
      const passkeys = authenticators.map(one => ({ id: one.authenticatorId, name: one.authenticatorName }))
      return { userId, userName, email: userEmail, passkeys }
    },
    async addAccount({ chain, path }) {
      const { curve, addressFormat, pathOf } = FORMS[chain]
      const accounts = await walletAccounts()
      const same = accounts.filter(one => one.addressFormat === addressFormat)
      const taken = new Set(same.map(one => one.path))
      let index = 0
      while (taken.has(pathOf(index))) index++
      const { createWalletAccountsResult } = await act((client, organizationId) =>
        client.createWalletAccounts({
          type: 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS',
          timestampMs: now(),
          organizationId,
          parameters: {
            walletId: accounts[0]?.walletId ?? '',
            accounts: [{ curve, addressFormat, pathFormat: 'PATH_FORMAT_BIP32', path: path ?? pathOf(index) }],
          },
        }),
      )
      return createWalletAccountsResult?.addresses[0] ?? ''
    },
    async addPasskey(authenticatorName) {
      // First, while the click still counts.
      const passkey = await createPasskey(tools, authenticatorName)
      const { userId, authenticators } = await readUser()
      // The new passkey is on this device already, and custody does not know it yet.
      const known = authenticators.map(({ credentialId }) => credentialId)
      const { createAuthenticatorsResult } = await confirm(
        (client, organizationId) =>
          client.createAuthenticators({
            type: 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2',
            timestampMs: now(),
            organizationId,
            parameters: { userId, authenticators: [{ authenticatorName, ...passkey }] },
          }),
        known,
      )
      return createAuthenticatorsResult?.authenticatorIds[0] ?? ''
    },
    async updateEmail(userEmail) {
      const { userId } = await readUser()
      await confirm((client, organizationId) =>
        client.updateUserEmail({
          type: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
          timestampMs: now(),
          organizationId,
          parameters: { userId, userEmail },
        }),
      )
    },
    activities: () =>
      use(async (client, organizationId) => {
        const { activities } = await client.getActivities({ organizationId })
        return activities.map(({ id, type, status, createdAt }) => ({
          id,
          type,
          status,
          createdAt: Number(createdAt.seconds) * 1000 + Math.floor(Number(createdAt.nanos) / 1_000_000),
        }))
      }),
    exportWallet,
    async walletOf(address) {
      const accounts = await walletAccounts()
      const walletId = accounts.find(one => one.address === address)?.walletId
      const proof = accounts.find(one => one.walletId === walletId && one.addressFormat === FORMS.SOL.addressFormat)
      if (!proof) throw fault(accountNotFound, { detail: 'no Solana account to check the words by' })
      return { walletId: proof.walletId, address: proof.address, path: proof.path }
    },
    async exportWalletAccount(address, { targetPublicKey }) {
      const { exportWalletAccountResult } = await confirm((client, organizationId) =>
        client.exportWalletAccount({
          type: 'ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT',
          timestampMs: now(),
          organizationId,
          parameters: { address, targetPublicKey },
        }),
      )
      return exportWalletAccountResult?.exportBundle ?? ''
    },
    async exportPrivateKey(privateKeyId, { targetPublicKey }) {
      const { exportPrivateKeyResult } = await confirm((client, organizationId) =>
        client.exportPrivateKey({
          type: 'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY',
          timestampMs: now(),
          organizationId,
          parameters: { privateKeyId, targetPublicKey },
        }),
      )
      return exportPrivateKeyResult?.exportBundle ?? ''
    },
  }
}
