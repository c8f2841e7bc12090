/** A wallet that requires a second factor: the product API's approver is the second member of its quorum of two. */
import { type World as ApiWorld, type Kit, sha256 } from '@keybay/sandbox-api/testing/client'
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { totpAt } from '@keybay/sandbox-tools/testing/totp'
import { generateP256KeyPair } from '@turnkey/crypto'
import type { TurnkeyClient } from '@turnkey/http'
import { attest, newTarget, openCredential, RP_ID, raw, SIGN, type User, type World } from './world.js'

export interface Guarded {
  readonly kit: Kit
  readonly organizationId: string
  readonly ownerId: string
  /** User ID of the approver. */
  readonly guardId: string
  readonly walletId: string
  readonly owner: TurnkeyClient
  readonly request: User['request']
  sign(client?: TurnkeyClient): Promise<Waiting>
  exportWallet(): Promise<Waiting>
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

const STEP_MS = 30_000

/** @param custody where the passkey is used */
export async function makeGuarded(custody: World, api: ApiWorld, email: string): Promise<Guarded> {
  const kit = api.kit()
  await kit.signInByEmail(email)
  const authenticator = newAuthenticator(RP_ID)
  const { challenge, attestation } = attest(authenticator)
  const { organizationId, wallets } = (await kit.call('/custody', { body: { challenge, attestation } })).body
  const owner = custody.clientBy(authenticator)
  const { userId: ownerId } = await owner.getWhoami({ organizationId })
  const { users } = await owner.getUsers({ organizationId })
  const walletId = (await owner.getWallets({ organizationId })).wallets[0]?.walletId ?? ''
  const request: User['request'] = (type, parameters) => custody.request(organizationId, type, parameters)
  let payload = 0
  const guarded: Guarded = {
    kit,
    organizationId,
    ownerId,
    guardId: users.find(({ userId }) => userId !== ownerId)?.userId ?? '',
    walletId,
    owner,
    request,
    async sign(client = owner) {
      const parameters = raw(wallets[0].address, (++payload).toString(16).padStart(8, '0'))
      return (await client.signRawPayload(request(SIGN, parameters))).activity
    },
    async exportWallet() {
      const parameters = { walletId, targetPublicKey: newTarget() }
      return (await owner.exportWallet(request('ACTIVITY_TYPE_EXPORT_WALLET', parameters))).activity
    },
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
      const { body } = await kit.call('/mfa/devices', { body: { method: 'totp', name: 'Phone' } })
      const code = totpAt(body.totp.secret, api.api.clock.now())
      const { challengeId } = body.challenge
      await kit.call(`/mfa/devices/${body.device.id}/confirm`, { body: { challengeId, code } })
      return body.totp.secret
    },
    async session() {
      const page = generateP256KeyPair()
      const parameters = { targetPublicKey: page.publicKeyUncompressed }
      const { activity } = await owner.createReadWriteSession(
        request('ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2', parameters),
      )
      const { result } = (await guarded.approve(activity)).body
      const made: unknown = Reflect.get(Object(result), 'createReadWriteSessionResultV2')
      return custody.clientOf(openCredential(String(Reflect.get(Object(made), 'credentialBundle')), page.privateKey))
    },
  }
  return guarded
}
