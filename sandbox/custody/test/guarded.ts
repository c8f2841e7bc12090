/** A wallet that requires a second factor: the product API's approver is the second member of its quorum of two. */

import { type World as ApiWorld, type Kit, sha256 } from '@keybay/sandbox-api/testing/client'
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { totpAt } from '@keybay/sandbox-tools/testing/totp'
import { decryptCredentialBundle, generateP256KeyPair, getPublicKey } from '@turnkey/crypto'
import type { TurnkeyClient } from '@turnkey/http'
import { apiClient, attest, passkeyClient, RP_ID, type World } from './world.js'

export function target(): string {
  return generateP256KeyPair().publicKeyUncompressed
}

export interface Guarded {
  readonly kit: Kit
  readonly organizationId: string
  readonly ownerId: string
  /** User ID of the approver. */
  readonly guardId: string
  readonly address: string
  readonly walletId: string
  /** Client that signs with the owner's passkey. */
  readonly owner: TurnkeyClient
  envelope<T extends string, P>(
    type: T,
    parameters: P,
  ): { type: T; timestampMs: string; organizationId: string; parameters: P }
  sign(client?: TurnkeyClient): Promise<Waiting>
  exportWallet(client?: TurnkeyClient): Promise<Waiting>
  /** Requests the product API's approval, with a TOTP code when the API requires a second factor. */
  approve(activity: Waiting, secret?: string): Promise<{ status: number; body: Record<string, unknown> }>
  /** Signs, has the signature approved and returns its status. */
  signed(): Promise<unknown>
  /** Adds an authenticator app. @returns its secret */
  enrol(): Promise<string>
  session(): Promise<TurnkeyClient>
}
export interface Waiting {
  readonly id: string
  readonly status: string
  readonly fingerprint: string
}

const HOW = { encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' } as const
const STEP_MS = 30_000

/** @param custody where the passkey is used */
export async function makeGuarded(custody: World, api: ApiWorld, email: string): Promise<Guarded> {
  const kit = api.kit()
  await kit.signInByEmail(email)
  const authenticator = newAuthenticator(RP_ID)
  const { challenge, attestation } = attest(authenticator)
  const { organizationId, wallets } = (await kit.call('/custody', { body: { challenge, attestation } })).body
  const { internalUrl } = custody.custody
  const owner = passkeyClient(internalUrl, authenticator)
  const { userId: ownerId } = await owner.getWhoami({ organizationId })
  const { users } = await owner.getUsers({ organizationId })
  const { wallets: held } = await owner.getWallets({ organizationId })
  const address: string = wallets[0].address
  const walletId = held[0]?.walletId ?? ''
  const envelope: Guarded['envelope'] = (type, parameters) => ({
    type,
    timestampMs: custody.now(),
    organizationId,
    parameters,
  })
  let payload = 0
  const guarded: Guarded = {
    kit,
    organizationId,
    ownerId,
    guardId: users.find(({ userId }) => userId !== ownerId)?.userId ?? '',
    address,
    walletId,
    owner,
    envelope,
    async sign(client = owner) {
      const text = (++payload).toString(16).padStart(8, '0')
      const parameters = { signWith: address, payload: text, ...HOW }
      return (await client.signRawPayload(envelope('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', parameters))).activity
    },
    exportWallet: async (client = owner) =>
      (await client.exportWallet(envelope('ACTIVITY_TYPE_EXPORT_WALLET', { walletId, targetPublicKey: target() })))
        .activity,
    async approve({ id: activityId }, secret) {
      const path = '/custody/approvals'
      const options = { body: { activityId } }
      const first = await kit.call(path, options)
      if (secret === undefined || first.status !== 403) return first
      const { action, devices } = first.body.details
      const requestHash = sha256(`POST\n/api/v0/sdk/local${path}\n${JSON.stringify(options.body)}`)
      const begun = await kit.call('/mfa/challenges', { body: { action, requestHash, deviceId: devices[0].id } })
      api.api.clock.advance(STEP_MS)
      const code = totpAt(secret, api.api.clock.now())
      const proved = await kit.call(`/mfa/challenges/${begun.body.challengeId}`, { body: { code } })
      return kit.call(path, { ...options, headers: { 'x-keybay-mfa-token': proved.body.mfaToken } })
    },
    signed: async () => (await guarded.approve(await guarded.sign())).body.status,
    async enrol() {
      const { device, challenge, totp } = (await kit.call('/mfa/devices', { body: { method: 'totp', name: 'Phone' } }))
        .body
      const code = totpAt(totp.secret, api.api.clock.now())
      await kit.call(`/mfa/devices/${device.id}/confirm`, { body: { challengeId: challenge.challengeId, code } })
      return totp.secret
    },
    async session() {
      const embedded = generateP256KeyPair()
      const { activity } = await owner.createReadWriteSession(
        envelope('ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2', { targetPublicKey: embedded.publicKeyUncompressed }),
      )
      const { result } = (await guarded.approve(activity)).body
      const made: unknown = Reflect.get(Object(result), 'createReadWriteSessionResultV2')
      const bundle = String(Reflect.get(Object(made), 'credentialBundle'))
      const privateKey = decryptCredentialBundle(bundle, embedded.privateKey)
      const publicKey = Buffer.from(getPublicKey(Buffer.from(privateKey, 'hex'), true)).toString('hex')
      return apiClient(internalUrl, { publicKey, privateKey })
    },
  }
  return guarded
}
