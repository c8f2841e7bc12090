/**
 * Session keys (S4.1): none → loading → active until the expiry date → expired. A key is kept only in memory. All operations that
 * wait for a key share one passkey prompt.
 */
import { fromHex, type SessionKey, toHex } from '@keybay/kernel/spec'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { decryptCredentialBundle, generateP256KeyPair, getPublicKey } from '@turnkey/crypto'
import type { SessionState } from './api.js'
import { createPasskeyStamper } from './passkey.js'
import { type Activity, type Client, createClient, finish, isKeyGone, type Result } from './service.js'
import type { Tools } from './tools.js'

const DEFAULT_SECONDS = 900
/** Safety margin before a key's expiry date, in ms, so that pending requests do not fail. */
const EXPIRY_MARGIN_MS = 5_000

function toPublicKey(privateKey: string): string {
  return toHex(getPublicKey(fromHex(privateKey), true))
}
/** @param privateKey of an API key; 32 bytes, hex */
export function createKeyClient(tools: Tools, privateKey: string): Client {
  return createClient(tools, new ApiKeyStamper({ apiPublicKey: toPublicKey(privateKey), apiPrivateKey: privateKey }))
}

interface Envelope {
  readonly timestampMs: string
  readonly organizationId: string
}
export type Submit = (client: Client, envelope: Envelope) => Promise<Activity>
interface ActiveKey {
  readonly record: SessionKey
  readonly organizationId: string
  readonly client: Client
  /** IDs of the key and the user at the custody service. */
  readonly apiKeyId: string
  readonly userId: string
}
interface Loading {
  readonly organizationId: string
  readonly client: Promise<Client>
}

export class Sessions {
  readonly #tools: Tools
  #state: SessionState = { status: 'none' }
  #key: ActiveKey | undefined
  #loading: Loading | undefined
  /** Replaced by `end`, which discards a key that is still loading for an ended session. */
  #controller = new AbortController()

  constructor(tools: Tools) {
    this.#tools = tools
  }

  get state(): SessionState {
    return this.#key && this.#isExpired(this.#key) ? { status: 'expired' } : this.#state
  }

  /** Deletes the key here and at the custody service, and stops waiting for its activities. */
  end(): void {
    this.#controller.abort()
    this.#controller = new AbortController()
    if (this.#key) this.#revoke(this.#key)
    this.#key = undefined
    this.#loading = undefined
    if (this.#state.status !== 'none') this.#setState({ status: 'none' })
  }

  /** Runs an operation with the session key. If the custody service no longer knows the key, retries once with a new one. */
  async use<T>(organizationId: string, run: (client: Client) => Promise<T>): Promise<T> {
    const controller = this.#controller
    const client = await this.#getClient(organizationId)
    try {
      return await run(client)
    } catch (error) {
      // A user who signed out or locked the wallet gets no passkey prompt.
      if (!isKeyGone(error) || controller !== this.#controller) throw error
      // Another operation may already have created a new key.
      if (this.#key?.client === client) this.#expire()
      return run(await this.#getClient(organizationId))
    }
  }

  /**
   * Submits an activity with the session key, and waits for its end. Never resubmits an accepted activity.
   * @throws the errors of `finish`
   */
  async act(organizationId: string, submit: Submit): Promise<Result> {
    const { signal } = this.#controller
    const submitted = await this.use(organizationId, client => submit(client, this.#createEnvelope(organizationId)))
    return this.#finish(organizationId, submitted, signal)
  }

  /**
   * Submits an activity that a session key can't authorize: the passkey signs this request and verifies the user.
   * @param passkeys credential IDs to which the choice is limited
   * @throws the errors of `finish`
   */
  async confirm(organizationId: string, submit: Submit, passkeys?: readonly string[]): Promise<Result> {
    const { signal } = this.#controller
    const stamper = await createPasskeyStamper(this.#tools, { userVerification: 'required', passkeys })
    const submitted = await submit(createClient(this.#tools, stamper), this.#createEnvelope(organizationId))
    return this.#finish(organizationId, submitted, signal)
  }

  #createEnvelope(organizationId: string): Envelope {
    return { timestampMs: String(this.#tools.kernel.clock.now()), organizationId }
  }

  #finish(organizationId: string, submitted: Activity, signal: AbortSignal): Promise<Result> {
    const poll = (activityId: string) =>
      this.use(organizationId, client => client.getActivity({ organizationId, activityId }))
    return finish(this.#tools, submitted, { poll, signal })
  }

  #getClient(organizationId: string): Promise<Client> {
    if (this.#key && (this.#key.organizationId !== organizationId || this.#isExpired(this.#key))) this.#expire()
    if (this.#key) return Promise.resolve(this.#key.client)
    if (this.#loading?.organizationId === organizationId) return this.#loading.client
    const loading: Loading = { organizationId, client: this.#createKey(organizationId) }
    this.#loading = loading
    const end = () => {
      if (this.#loading === loading) this.#loading = undefined
    }
    loading.client.then(end, end)
    return loading.client
  }

  async #createKey(organizationId: string): Promise<Client> {
    const controller = this.#controller
    this.#setState({ status: 'loading' })
    try {
      const key = await this.#requestKey(organizationId, controller.signal)
      if (controller === this.#controller) {
        this.#key = key
        this.#setState({ status: 'active', expirationDate: key.record.expirationDate })
      } else this.#revoke(key)
      return key.client
    } catch (error) {
      if (controller === this.#controller) this.#setState({ status: 'none' })
      throw error
    }
  }

  async #requestKey(organizationId: string, signal: AbortSignal): Promise<ActiveKey> {
    const { clock } = this.#tools.kernel
    const seconds = this.#tools.options.sessionSeconds ?? DEFAULT_SECONDS
    const embedded = generateP256KeyPair()
    const passkey = createClient(this.#tools, await createPasskeyStamper(this.#tools))
    const startedAt = clock.now()
    const submitted = await passkey.createReadWriteSession({
      ...this.#createEnvelope(organizationId),
      type: 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2',
      parameters: { targetPublicKey: embedded.publicKeyUncompressed, expirationSeconds: String(seconds) },
    })
    const poll = (activityId: string) => passkey.getActivity({ organizationId, activityId })
    const result = await finish(this.#tools, submitted, { poll, signal })
    const { credentialBundle = '', apiKeyId = '', userId = '' } = result.createReadWriteSessionResultV2 ?? {}
    const privateKey = decryptCredentialBundle(credentialBundle, embedded.privateKey)
    const expirationDate = new Date(startedAt + seconds * 1000).toISOString()
    return {
      record: { publicKey: toPublicKey(privateKey), privateKey, expirationDate },
      organizationId,
      client: createKeyClient(this.#tools, privateKey),
      apiKeyId,
      userId,
    }
  }

  /** Deletes the key at the custody service in the background. If the service is unreachable, the key ends at its expiry date. */
  #revoke(key: ActiveKey): void {
    const { organizationId, client, apiKeyId, userId } = key
    if (this.#isExpired(key)) return
    const parameters = { userId, apiKeyIds: [apiKeyId] }
    client
      .deleteApiKeys({ ...this.#createEnvelope(organizationId), type: 'ACTIVITY_TYPE_DELETE_API_KEYS', parameters })
      .catch((error: unknown) => this.#tools.kernel.logger.debug('turnkey', error))
  }

  #isExpired({ record }: ActiveKey): boolean {
    return Date.parse(record.expirationDate) - EXPIRY_MARGIN_MS <= this.#tools.kernel.clock.now()
  }

  #expire(): void {
    this.#key = undefined
    this.#setState({ status: 'expired' })
  }

  #setState(state: SessionState): void {
    this.#state = state
    this.#tools.kernel.events.emit('turnkey:session', state)
  }
}
