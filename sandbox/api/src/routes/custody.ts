/** Key custody: a person's own sub-organisation, guarded by a passkey, and its recovery by mail. */
import { emailRecoveryDisabled, RECOVERY_CODE_VALIDITY_SECONDS } from '@keybay/kernel/spec'
import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { viewUser } from '../accounts/user-view.js'
import { type CustodyCall, finish } from '../custody/client.js'
import { claim, giveBack, keep, organizationName, organizationOf } from '../custody/organizations.js'
import { users } from '../db/schema.js'
import type { Call } from '../http/call.js'
import {
  ApiError,
  custodyUnavailable,
  custodyWalletExists,
  custodyWalletMissing,
  invalidPasskey,
  invalidProof,
  methodNotEnabled,
  mfaRequired,
  sessionExpired,
  unauthorized,
} from '../http/errors.js'
import { base64url, time } from '../http/fields.js'
import { type Route, route } from '../http/route.js'

const reading = [unauthorized, sessionExpired, methodNotEnabled, custodyUnavailable] as const
const changing = [...reading, invalidProof, mfaRequired] as const

const TRANSPORTS = [
  'AUTHENTICATOR_TRANSPORT_BLE',
  'AUTHENTICATOR_TRANSPORT_INTERNAL',
  'AUTHENTICATOR_TRANSPORT_NFC',
  'AUTHENTICATOR_TRANSPORT_USB',
  'AUTHENTICATOR_TRANSPORT_HYBRID',
] as const

/** S3.3 */
const walletCredential = v.object({
  id: v.string(),
  address: v.string(),
  chain: v.picklist(['SOL', 'EVM']),
  walletName: v.literal('turnkeyhd'),
  walletProperties: v.object({ turnkeySubOrganizationId: v.string(), isSessionKeyCompatible: v.boolean() }),
})
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

const ownerOf = ({ environment }: Call, userId: string) => ({ environmentId: environment.id, userId })

const enabled = ({ environment }: Call): void => {
  if (!environment.custody.enabled) throw new ApiError(methodNotEnabled)
}

const walletsOf =
  ({ client }: CustodyCall, organizationId: string) =>
  async () => {
    const { wallets } = await client.getWallets({ organizationId })
    const lists = await Promise.all(
      wallets.map(({ walletId }) => client.getWalletAccounts({ organizationId, walletId })),
    )
    return lists
      .flatMap(({ accounts }) => accounts)
      .flatMap(({ walletAccountId: id, address, addressFormat }) => {
        const chain = { ADDRESS_FORMAT_SOLANA: 'SOL' as const, ADDRESS_FORMAT_ETHEREUM: 'EVM' as const }
        const name = addressFormat === 'ADDRESS_FORMAT_SOLANA' || addressFormat === 'ADDRESS_FORMAT_ETHEREUM'
        if (!name) return []
        const walletProperties = { turnkeySubOrganizationId: organizationId, isSessionKeyCompatible: true }
        return [{ id, address, chain: chain[addressFormat], walletName: 'turnkeyhd' as const, walletProperties }]
      })
  }

const read = route(
  {
    method: 'GET',
    path: '/custody',
    tag: 'custody',
    summary: 'The custody wallets of the user.',
    access: 'bearer',
    answer: custodyAnswer,
    errors: reading,
  },
  async call => {
    enabled(call)
    const { services, environment, session } = call
    const { emailRecovery } = environment.custody
    const organizationId = await organizationOf(services, ownerOf(call, session.userId))
    if (organizationId === undefined) return { organizationId: null, emailRecovery, wallets: [] }
    const wallets = await services.custody(custody => walletsOf(custody, organizationId)())
    return { organizationId, emailRecovery, wallets }
  },
)

const create = route(
  {
    method: 'POST',
    path: '/custody',
    tag: 'custody',
    summary: 'Makes the user’s sub-organisation with a passkey and a first wallet: Solana and EVM.',
    access: 'session',
    mfa: 'user.update',
    body: v.strictObject({
      challenge: base64url(128),
      attestation: v.strictObject({
        credentialId: base64url(1400),
        clientDataJson: base64url(4096),
        attestationObject: base64url(16_384),
        transports: v.pipe(v.array(v.picklist(TRANSPORTS)), v.maxLength(8)),
      }),
    }),
    status: 201,
    answer: custodyAnswer,
    errors: [...changing, custodyWalletExists, invalidPasskey],
  },
  async call => {
    enabled(call)
    const { services, environment, session, body } = call
    const owner = ownerOf(call, session.userId)
    if ((await organizationOf(services, owner)) !== undefined || !(await claim(services, owner)))
      throw new ApiError(custodyWalletExists)
    const user = await viewUser(services, environment, session.userId)
    const { emailRecovery } = environment.custody
    const made = await services
      .custody(async custody => {
        const { client, timestampMs, organizationId } = custody
        const result = await finish(
          client,
          await client.createSubOrganization({
            type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
            timestampMs,
            organizationId,
            parameters: {
              subOrganizationName: organizationName(owner),
              rootQuorumThreshold: 1,
              disableEmailRecovery: !emailRecovery,
              rootUsers: [
                {
                  userName: user.email ?? session.userId,
                  ...(user.email !== null && { userEmail: user.email }),
                  apiKeys: [],
                  authenticators: [{ authenticatorName: 'Passkey', ...body }],
                  oauthProviders: [],
                },
              ],
              wallet: { walletName: 'Wallet', accounts: [...ACCOUNTS] },
            },
          }),
        )
        const made = result.createSubOrganizationResultV8?.subOrganizationId
        if (!made) throw new ApiError(custodyUnavailable, { reason: 'no organization' })
        await keep(services, owner, made)
        return made
      })
      .catch(async error => {
        // Refused: nothing was made. Without an answer it may have been, so the claim stays and is looked into.
        const isRefused = error instanceof ApiError && error.details?.reason !== 'no answer'
        if (isRefused) await giveBack(services, owner)
        throw error
      })
    const wallets = await services.custody(custody => walletsOf(custody, made)())
    return { organizationId: made, emailRecovery, wallets }
  },
)

const recover = route(
  {
    method: 'POST',
    path: '/custody/recovery',
    tag: 'custody',
    summary: 'Has custody mail a recovery code to the address of the wallet, sealed to the page’s key.',
    access: 'session',
    mfa: 'user.update',
    body: v.strictObject({
      targetPublicKey: v.pipe(v.string(), v.regex(/^04[0-9a-f]{128}$/), v.description('65 bytes, hex')),
    }),
    status: 202,
    answer: v.object({ organizationId: v.string(), recoveryUserId: v.string(), codeExpiresAt: time }),
    errors: [...changing, emailRecoveryDisabled, custodyWalletMissing],
  },
  async call => {
    enabled(call)
    const { services, environment, session, body } = call
    if (!environment.custody.emailRecovery) throw new ApiError(emailRecoveryDisabled)
    await services.limits.hit('recovery per user', session.userId)
    const organizationId = await organizationOf(services, ownerOf(call, session.userId))
    if (organizationId === undefined) throw new ApiError(custodyWalletMissing)
    const [user] = await services.db.select().from(users).where(eq(users.id, session.userId))
    if (!user) throw new ApiError(sessionExpired)
    return services.custody(async ({ client, timestampMs }) => {
      const { users: guards } = await client.getUsers({ organizationId })
      const email = guards.find(one => one.userEmail !== undefined)?.userEmail
      if (email === undefined) throw new ApiError(emailRecoveryDisabled)
      const result = await finish(
        client,
        await client.initUserEmailRecovery({
          type: 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2',
          timestampMs,
          organizationId,
          parameters: {
            email,
            targetPublicKey: body.targetPublicKey,
            expirationSeconds: String(RECOVERY_CODE_VALIDITY_SECONDS),
            emailCustomization: { appName: environment.name },
          },
        }),
      )
      return {
        organizationId,
        recoveryUserId: result.initUserEmailRecoveryResult?.userId ?? '',
        codeExpiresAt: Number(timestampMs) + RECOVERY_CODE_VALIDITY_SECONDS * 1000,
      }
    })
  },
)

export const custodyRoutes: readonly Route[] = [read, create, recover]
