/** A running custody service with its inbox, the operator's client and users with passkeys, over Turnkey's client. */
import { randomBytes } from 'node:crypto'
import { startWorld as startApiWorld } from '@keybay/sandbox-api/testing/client'
import { type Inbox, startInbox } from '@keybay/sandbox-inbox'
import { MovableClock } from '@keybay/sandbox-service'
import { type Authenticator, newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { decryptCredentialBundle, generateP256KeyPair, getPublicKey } from '@turnkey/crypto'
import { type TSignedRequest, TurnkeyClient } from '@turnkey/http'
import { WebauthnStamper } from '@turnkey/webauthn-stamper'
import { vi } from 'vitest'
import { type Custody, type CustodyOptions, startCustody } from '../src/index.js'
import { newDatabase } from './database.js'

export const ORIGIN = 'http://app.localhost:4000'
export const RP_ID = 'app.localhost'
export const COMPLETED = 'ACTIVITY_STATUS_COMPLETED'
export const CONSENSUS_NEEDED = 'ACTIVITY_STATUS_CONSENSUS_NEEDED'
export const SIGN = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'

const BIP32 = { pathFormat: 'PATH_FORMAT_BIP32' } as const
export const SOLANA = {
  ...BIP32,
  curve: 'CURVE_ED25519',
  path: "m/44'/501'/0'/0'",
  addressFormat: 'ADDRESS_FORMAT_SOLANA',
} as const
export const ETHEREUM = {
  ...BIP32,
  curve: 'CURVE_SECP256K1',
  path: "m/44'/60'/0'/0/0",
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
} as const

export interface KeyPair {
  readonly publicKey: string
  readonly privateKey: string
}

export function apiClient(baseUrl: string, { publicKey, privateKey }: KeyPair) {
  return new TurnkeyClient({ baseUrl }, new ApiKeyStamper({ apiPublicKey: publicKey, apiPrivateKey: privateKey }))
}

/** On a busy machine an activity may take longer than clients want to wait, and would then be pending. */
export const PATIENT = { patience: 100_000 } as const

/** Returns parameters that sign hexadecimal bytes as they are. */
export function raw(signWith: string, payload: string) {
  const how = { encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' } as const
  return { signWith, payload, ...how }
}

/** Returns the key to which a bundle is sealed that the test never opens. */
export function newTarget(): string {
  return generateP256KeyPair().publicKeyUncompressed
}

export function apiKey(publicKey = generateP256KeyPair().publicKey) {
  return { apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' as const }
}

export function openCredential(bundle: string | undefined, pageKey: string): KeyPair {
  const privateKey = decryptCredentialBundle(bundle ?? '', pageKey)
  return { privateKey, publicKey: Buffer.from(getPublicKey(Buffer.from(privateKey, 'hex'), true)).toString('hex') }
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
function usePasskey(authenticator: Authenticator, origin: string): void {
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
  const stamp = (payload: string) => {
    usePasskey(authenticator, origin)
    return stamper.stamp(payload)
  }
  return new TurnkeyClient({ baseUrl }, { stamp })
}

/** Returns the result of `navigator.credentials.create` in the protocol's format. */
export function attest(authenticator = newAuthenticator(RP_ID), name = 'Passkey', origin = ORIGIN) {
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

/** Sends a stamped request, any number of times. */
export async function post(
  baseUrl: string,
  path: string,
  signed: TSignedRequest | undefined,
  headers: Record<string, string> = {},
) {
  const { stampHeaderName = '', stampHeaderValue = '' } = signed?.stamp ?? {}
  const response = await fetch(`${baseUrl}/public/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [stampHeaderName]: stampHeaderValue, ...headers },
    body: signed?.body ?? '',
  })
  return { status: response.status, answer: await response.json() }
}

export type User = Awaited<ReturnType<typeof newUser>>
interface Request<T extends string, P> {
  readonly type: T
  readonly timestampMs: string
  readonly organizationId: string
  readonly parameters: P
}

export interface World {
  readonly custody: Custody
  readonly inbox: Inbox
  readonly operator: TurnkeyClient
  readonly operatorKey: KeyPair & { readonly organizationId: string }
  /** Returns the service's time in the wire format (ms). */
  now(): string
  request<T extends string, P>(organizationId: string, type: T, parameters: P): Request<T, P>
  user(): Promise<User>
  clientOf(key: KeyPair): TurnkeyClient
  clientBy(authenticator: Authenticator, origin?: string): TurnkeyClient
  session(user: User, expirationSeconds?: number): Promise<KeyPair>
  /** Starts the user's recovery. @returns the code of the mail, and the key of the page that opens it */
  recoveryCode(user: User): Promise<{ readonly code: string; readonly pageKey: string }>
  recovering(user: User): Promise<TurnkeyClient>
  stop(): Promise<void>
}

let users = 0

async function newUser({ custody, operator, operatorKey, request, clientBy }: World) {
  const authenticator = newAuthenticator(RP_ID)
  const email = `user${++users}@example.com`
  const owner = { userName: email, userEmail: email, apiKeys: [], oauthProviders: [] }
  const { activity } = await operator.createSubOrganization(
    request(operatorKey.organizationId, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
      subOrganizationName: `User ${users}`,
      rootQuorumThreshold: 1,
      rootUsers: [{ ...owner, authenticators: [attest(authenticator)] }],
      wallet: { walletName: 'Wallet', accounts: [SOLANA, ETHEREUM] },
    }),
  )
  const made = activity.result.createSubOrganizationResultV8
  const [sol = '', eth = ''] = made?.wallet?.addresses ?? []
  const organizationId = made?.subOrganizationId ?? ''
  const walletId = made?.wallet?.walletId ?? ''
  return {
    organizationId,
    userId: made?.rootUserIds?.[0] ?? '',
    email,
    authenticator,
    client: clientBy(authenticator),
    addresses: [sol, eth] as const,
    walletId,
    /** Begins an import with the user's passkey. @returns what Turnkey's `encrypt…ToBundle` needs */
    async importKey(expected: { readonly organizationId?: string; readonly userId?: string } = {}) {
      authenticator.claims.isVerified = true
      const userId = made?.rootUserIds?.[0] ?? ''
      const { activity } = await clientBy(authenticator).initImportWallet(
        request(organizationId, 'ACTIVITY_TYPE_INIT_IMPORT_WALLET', { userId }),
      )
      const importBundle = activity.result.initImportWalletResult?.importBundle ?? ''
      const signer = { dangerouslyOverrideSignerPublicKey: custody.signerPublicKey }
      return { importBundle, organizationId, userId, ...signer, ...expected }
    },
    /** Returns the body of an activity of the user's organization. */
    request: <T extends string, P>(type: T, parameters: P) => request(organizationId, type, parameters),
    signature: (payload: string, signWith = sol) => request(organizationId, SIGN, raw(signWith, payload)),
    exportRequest: (targetPublicKey = newTarget()) =>
      request(organizationId, 'ACTIVITY_TYPE_EXPORT_WALLET', { walletId, targetPublicKey }),
  }
}

export async function startWorld(options: Partial<CustodyOptions> = {}): Promise<World> {
  const inbox = await startInbox()
  const isGiven = options.dataDir !== undefined || options.databaseUrl !== undefined
  const databaseUrl = isGiven ? undefined : await newDatabase()
  const clock = new MovableClock()
  const { smtpUrl } = inbox
  const given = { mode: 'sandbox', origins: [ORIGIN], smtpUrl, clock, ...PATIENT } as const
  const custody = await startCustody({ ...given, ...(databaseUrl !== undefined && { databaseUrl }), ...options })
  const { internalUrl, organizationId, operatorKey } = custody
  if (!operatorKey) throw new Error('The test needs the operator’s key')
  const world: World = {
    custody,
    inbox,
    operator: apiClient(internalUrl, operatorKey),
    operatorKey: { organizationId, ...operatorKey },
    now: () => String(custody.clock.now()),
    request: (organizationId, type, parameters) => ({ type, timestampMs: world.now(), organizationId, parameters }),
    user: () => newUser(world),
    clientOf: key => apiClient(internalUrl, key),
    clientBy: (authenticator, origin) => passkeyClient(internalUrl, authenticator, origin),
    async session({ client, request, userId }, expirationSeconds = 900) {
      const key = generateP256KeyPair()
      const apiKeys = [{ ...apiKey(key.publicKey), expirationSeconds: String(expirationSeconds) }]
      await client.createApiKeys(request('ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId, apiKeys }))
      return key
    },
    async recoveryCode({ request, email }) {
      const page = generateP256KeyPair()
      const emailCustomization = { appName: 'Keybay' }
      const parameters = { email, targetPublicKey: page.publicKeyUncompressed, emailCustomization }
      await world.operator.initUserEmailRecovery(request('ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2', parameters))
      const mail = await (await fetch(`${inbox.url}/api/messages/latest?to=${email}&wait=20000`)).json()
      return { code: /^[1-9A-HJ-NP-Za-km-z]{80,}$/m.exec(mail.text)?.[0] ?? '', pageKey: page.privateKey }
    },
    async recovering(user) {
      const { code, pageKey } = await world.recoveryCode(user)
      return world.clientOf(openCredential(code, pageKey))
    },
    async stop() {
      vi.unstubAllGlobals()
      await custody.stop()
      await inbox.stop()
    },
  }
  return world
}

export function startProductApi(
  { custody, operatorKey }: Pick<World, 'operatorKey'> & { readonly custody: Pick<Custody, 'internalUrl'> },
  environments: NonNullable<Parameters<typeof startApiWorld>[0]>['environments'],
  limitFactor?: number,
) {
  const options = { custody: { baseUrl: custody.internalUrl, operator: () => operatorKey } }
  return startApiWorld({
    ...options,
    ...(environments && { environments }),
    ...(limitFactor !== undefined && { limitFactor }),
  })
}
