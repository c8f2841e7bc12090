/** A running custody service with its inbox, the operator's client and users with passkeys, over Turnkey's client. */
import { randomBytes } from 'node:crypto'
import { type Inbox, startInbox } from '@keybay/sandbox-inbox'
import { MovableClock } from '@keybay/sandbox-service'
import { type Authenticator, newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { generateP256KeyPair } from '@turnkey/crypto'
import { TurnkeyClient } from '@turnkey/http'
import { WebauthnStamper } from '@turnkey/webauthn-stamper'
import { vi } from 'vitest'
import { type Custody, type CustodyOptions, startCustody } from '../src/index.js'

// Long timeouts for real services.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

export const ORIGIN = 'http://app.localhost:4000'
export const RP_ID = 'app.localhost'

export const SOLANA = {
  curve: 'CURVE_ED25519',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/501'/0'/0'",
  addressFormat: 'ADDRESS_FORMAT_SOLANA',
} as const
export const ETHEREUM = {
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/60'/0'/0/0",
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
} as const

export function apiClient(baseUrl: string, { publicKey, privateKey }: { publicKey: string; privateKey: string }) {
  return new TurnkeyClient({ baseUrl }, new ApiKeyStamper({ apiPublicKey: publicKey, apiPrivateKey: privateKey }))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function buffer(value: unknown): ArrayBuffer {
  return new Uint8Array(Buffer.from(text(value), 'base64url')).buffer
}

/** Installs `navigator.credentials` over a software authenticator; the official stamper does the rest. */
export function usePasskey(authenticator: Authenticator, origin = ORIGIN): void {
  const get = async (options: { publicKey: { challenge: Uint8Array; userVerification: string } }) => {
    const { userVerification } = options.publicKey
    const challenge = Buffer.from(options.publicKey.challenge).toString('base64url')
    const assertion = authenticator.get({ challenge, userVerification }, origin)
    const response = 'response' in assertion && isObject(assertion.response) ? assertion.response : {}
    return {
      id: authenticator.id,
      rawId: buffer(authenticator.id),
      type: 'public-key',
      authenticatorAttachment: 'platform',
      getClientExtensionResults: () => ({}),
      response: {
        clientDataJSON: buffer(response.clientDataJSON),
        authenticatorData: buffer(response.authenticatorData),
        signature: buffer(response.signature),
        userHandle: buffer(response.userHandle),
      },
    }
  }
  vi.stubGlobal('navigator', { credentials: { get } })
}

export function passkeyClient(baseUrl: string, authenticator: Authenticator, origin = ORIGIN): TurnkeyClient {
  const stamper = new WebauthnStamper({ rpId: RP_ID })
  return new TurnkeyClient(
    { baseUrl },
    {
      stamp: payload => {
        usePasskey(authenticator, origin)
        return stamper.stamp(payload)
      },
    },
  )
}

/** Returns the result of `navigator.credentials.create` in the protocol's format. */
export function attest(authenticator: Authenticator, name = 'Passkey', origin = ORIGIN) {
  const challenge = randomBytes(32).toString('base64url')
  const made = authenticator.create({ challenge }, origin)
  const response = 'response' in made && isObject(made.response) ? made.response : {}
  return {
    authenticatorName: name,
    challenge,
    attestation: {
      credentialId: authenticator.id,
      clientDataJson: text(response.clientDataJSON),
      attestationObject: text(response.attestationObject),
      transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL' as const],
    },
  }
}

export interface Person {
  readonly organizationId: string
  readonly userId: string
  readonly email: string
  readonly authenticator: Authenticator
  readonly client: TurnkeyClient
  /** SOL address and ETH address. */
  readonly addresses: readonly [string, string]
  readonly walletId: string
}

export interface World {
  readonly custody: Custody
  readonly inbox: Inbox
  readonly operator: TurnkeyClient
  /** Returns the service's time in the wire format (ms). */
  now(): string
  person(options?: { users?: number; threshold?: number }): Promise<Person>
  /** Creates a session key of the user with the passkey. */
  session(person: Person, expirationSeconds?: number): Promise<{ publicKey: string; privateKey: string }>
  stop(): Promise<void>
}

let people = 0

export async function startWorld(options: Partial<CustodyOptions> = {}): Promise<World> {
  const inbox = await startInbox()
  const custody = await startCustody({
    origins: [ORIGIN],
    smtpUrl: inbox.smtpUrl,
    clock: new MovableClock(),
    ...options,
  })
  const baseUrl = custody.internalUrl
  if (!custody.operatorKey) throw new Error('The test needs the operator’s key')
  const operator = apiClient(baseUrl, custody.operatorKey)
  const now = () => String(custody.clock.now())
  return {
    custody,
    inbox,
    operator,
    now,
    async person({ threshold = 1 } = {}) {
      const authenticator = newAuthenticator(RP_ID)
      const email = `person${++people}@example.com`
      const { activity } = await operator.createSubOrganization({
        type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
        timestampMs: now(),
        organizationId: custody.organizationId,
        parameters: {
          subOrganizationName: `Person ${people}`,
          rootQuorumThreshold: threshold,
          rootUsers: [
            {
              userName: email,
              userEmail: email,
              apiKeys: [],
              authenticators: [attest(authenticator)],
              oauthProviders: [],
            },
          ],
          wallet: { walletName: 'Wallet', accounts: [SOLANA, ETHEREUM] },
        },
      })
      const made = activity.result.createSubOrganizationResultV8
      const [sol = '', eth = ''] = made?.wallet?.addresses ?? []
      return {
        organizationId: made?.subOrganizationId ?? '',
        userId: made?.rootUserIds?.[0] ?? '',
        email,
        authenticator,
        client: passkeyClient(baseUrl, authenticator),
        addresses: [sol, eth],
        walletId: made?.wallet?.walletId ?? '',
      }
    },
    async session({ client, organizationId, userId }, expirationSeconds = 900) {
      const { publicKey, privateKey } = generateP256KeyPair()
      await client.createApiKeys({
        type: 'ACTIVITY_TYPE_CREATE_API_KEYS_V2',
        timestampMs: now(),
        organizationId,
        parameters: {
          userId,
          apiKeys: [
            {
              apiKeyName: 'Session',
              publicKey,
              curveType: 'API_KEY_CURVE_P256',
              expirationSeconds: String(expirationSeconds),
            },
          ],
        },
      })
      return { publicKey, privateKey }
    },
    async stop() {
      vi.unstubAllGlobals()
      await custody.stop()
      await inbox.stop()
    },
  }
}
