/** Creates a user's sub-organization, with a passkey and a first wallet, and reads it. */
import { blockedUserCannotTransferWallet } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { viewUser } from '../../accounts/user-view.js'
import { passkeyFields } from '../../custody/agreements.js'
import type { Approver } from '../../custody/approver-keys.js'
import { type CustodyCall, finish, isRefusal } from '../../custody/client.js'
import {
  claim,
  giveBack,
  keepFirst,
  type Organization,
  organizationName,
  readOrganization,
} from '../../custody/organizations.js'
import type { Call } from '../../http/call.js'
import {
  ApiError,
  accountDeletionPending,
  custodyUnavailable,
  custodyWalletExists,
  custodyWalletMissing,
  invalidPasskey,
  methodNotEnabled,
  mfaRequired,
} from '../../http/errors.js'
import { routesOf } from '../../http/route.js'

const reading = [methodNotEnabled, custodyUnavailable] as const
export const changing = [...reading, mfaRequired] as const

function getOwner({ environment }: Call, userId: string) {
  return { environmentId: environment.id, userId }
}

/** @throws ApiError `method_not_enabled` */
export function enabled({ environment }: Call): void {
  if (!environment.custody.enabled) throw new ApiError(methodNotEnabled)
}

/** @throws ApiError `custody_wallet_missing` */
export async function ownOrganization(call: Call, userId: string): Promise<Organization> {
  const organization = await readOrganization(call.services, getOwner(call, userId))
  if (!organization) throw new ApiError(custodyWalletMissing)
  return organization
}

const route = routesOf('custody')

/** S3.3 */
const walletCredential = v.object({
  id: v.string(),
  address: v.string(),
  chain: v.picklist(['SOL', 'EVM']),
  walletName: v.pipe(
    v.picklist(['turnkeyhd', 'turnkey']),
    v.description('An account of a wallet, by its path; or a key that is of no wallet'),
  ),
  walletProperties: v.object({ turnkeySubOrganizationId: v.string(), isSessionKeyCompatible: v.boolean() }),
})
type WalletCredential = v.InferOutput<typeof walletCredential>
const custodyAnswer = v.object({
  organizationId: v.pipe(v.nullable(v.string()), v.description('Null while there is none')),
  emailRecovery: v.boolean(),
  wallets: v.array(walletCredential),
})

const ACCOUNTS = [
  {
    curve: 'CURVE_ED25519',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: "m/44'/501'/0'/0'",
    addressFormat: 'ADDRESS_FORMAT_SOLANA',
  },
  {
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: "m/44'/60'/0'/0/0",
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  },
] as const

function approverUser({ publicKey }: Approver) {
  return {
    userName: 'Second factor',
    apiKeys: [{ apiKeyName: 'Approver', publicKey, curveType: 'API_KEY_CURVE_P256' as const }],
    authenticators: [],
    oauthProviders: [],
  }
}

const CHAINS = new Map<string | undefined, WalletCredential['chain']>([
  ['ADDRESS_FORMAT_SOLANA', 'SOL'],
  ['ADDRESS_FORMAT_ETHEREUM', 'EVM'],
])

/** Skips other address formats, such as a key in hex, which are not accounts of a chain. */
function toCredentials(
  walletName: WalletCredential['walletName'],
  id: string,
  { address, format }: { readonly address?: string; readonly format?: string },
  organizationId: string,
): readonly WalletCredential[] {
  const chain = CHAINS.get(format)
  if (!chain || address === undefined) return []
  const walletProperties = { turnkeySubOrganizationId: organizationId, isSessionKeyCompatible: true }
  return [{ id, address, chain, walletName, walletProperties }]
}

async function readWallets({ client }: CustodyCall, organizationId: string): Promise<WalletCredential[]> {
  const [{ wallets }, { privateKeys }] = await Promise.all([
    client.getWallets({ organizationId }),
    client.getPrivateKeys({ organizationId }),
  ])
  const lists = await Promise.all(wallets.map(({ walletId }) => client.getWalletAccounts({ organizationId, walletId })))
  return [
    ...lists
      .flatMap(({ accounts }) => accounts)
      .flatMap(({ walletAccountId, address, addressFormat: format }) =>
        toCredentials('turnkeyhd', walletAccountId, { address, format }, organizationId),
      ),
    ...privateKeys.flatMap(({ privateKeyId, addresses }) =>
      addresses.flatMap(address => toCredentials('turnkey', privateKeyId, address, organizationId)),
    ),
  ]
}

export const read = route('GET /custody', {
  summary: 'The custody wallets of the user.',
  access: 'bearer',
  answer: custodyAnswer,
  errors: reading,
  async run(call) {
    enabled(call)
    const { services, environment, session } = call
    await services.limits.hit('custody reads per user', session.userId)
    const { emailRecovery } = environment.custody
    const { organizationId } = (await readOrganization(services, getOwner(call, session.userId))) ?? {}
    if (organizationId === undefined) return { organizationId: null, emailRecovery, wallets: [] }
    const wallets = await services.custody(custody => readWallets(custody, organizationId))
    return { organizationId, emailRecovery, wallets }
  },
})

export const create = route('POST /custody', {
  summary: 'Makes the user’s sub-organization with a passkey and a first wallet: Solana and EVM.',
  access: 'session',
  mfa: 'user.update',
  body: v.strictObject(passkeyFields),
  status: 201,
  answer: custodyAnswer,
  errors: [...changing, custodyWalletExists, invalidPasskey, accountDeletionPending, blockedUserCannotTransferWallet],
  async run(call) {
    enabled(call)
    const { services, environment, session, body } = call
    await services.limits.hit('custody creations per user', session.userId)
    const owner = getOwner(call, session.userId)
    if ((await readOrganization(services, owner)) !== undefined) throw new ApiError(custodyWalletExists)
    const claimed = await claim(services, owner)
    if (claimed === undefined) throw new ApiError(custodyWalletExists)
    const user = await viewUser(services, environment, session.userId)
    const { emailRecovery } = environment.custody
    const made = await services
      .custody(async custody => {
        const { client, approver, timestampMs, organizationId } = custody
        const { secondFactor } = environment.custody
        const result = await finish(
          client,
          await client.createSubOrganization({
            type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
            timestampMs,
            organizationId,
            parameters: {
              subOrganizationName: organizationName(owner),
              rootQuorumThreshold: secondFactor ? 2 : 1,
              disableEmailRecovery: !emailRecovery,
              rootUsers: [
                {
                  userName: user.email ?? session.userId,
                  ...(user.email !== null && { userEmail: user.email }),
                  apiKeys: [],
                  authenticators: [{ authenticatorName: 'Passkey', ...body }],
                  oauthProviders: [],
                },
                ...(secondFactor ? [approverUser(approver)] : []),
              ],
              wallet: { walletName: 'Wallet', accounts: [...ACCOUNTS] },
            },
          }),
        )
        const { subOrganizationId: made, rootUserIds: [ownerId] = [] } = result.createSubOrganizationResultV8 ?? {}
        if (!made || !ownerId) throw new ApiError(custodyUnavailable, { reason: 'no answer' })
        await keepFirst(services, owner, { organizationId: made, ownerId }, claimed)
        return made
      })
      .catch(async error => {
        // Without a clear response the organization may have been created, so the claim stays and is checked later.
        if (isRefusal(error)) await giveBack(services, owner, claimed)
        throw error
      })
    const wallets = await services.custody(custody => readWallets(custody, made))
    return { organizationId: made, emailRecovery, wallets }
  },
})
