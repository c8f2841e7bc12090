/**
 * Session keys (S4.1): none → loading → active until the expiry date → expired. Tabs share one key, which survives reloads
 * and ends with the user's session. All operations that wait for a key share one passkey prompt.
 */
import { decryptCredentialBundle, generateP256KeyPair } from '@turnkey/crypto'
import type { SessionState } from './api.js'
import { createKeyStamper, importApiKey } from './api-key.js'
import { createPasskeyStamper } from './passkey.js'
import { type Activity, type Client, createClient, finish, isKeyGone, type Result } from './service.js'
import { createKeyStore, type KeyStore, type StoredKey } from './stored-key.js'
import type { Tools } from './tools.js'

const DEFAULT_SECONDS = 900
/** Safety margin before a key's expiry date, in ms, so that pending requests do not fail. */
const EXPIRY_MARGIN_MS = 5_000
/** Longest time that browsers can set a timer for. */
const MAX_TIMER_MS = 2 ** 31 - 1

interface Envelope {
  readonly timestampMs: string
  readonly organizationId: string
}
export type Submit = (client: Client, envelope: Envelope) => Promise<Activity>
interface ActiveKey {
  readonly stored: StoredKey
  readonly client: Client
}
interface Loading {
  readonly organizationId: string
  readonly client: Promise<Client>
}

export class Sessions {
  readonly #tools: Tools
  readonly #store: KeyStore
  #state: SessionState = { status: 'none' }
  #key: ActiveKey | undefined
  #loading: Loading | undefined
  #cancelTimer = () => {}
  /** Replaced by `end`, which discards a key that is still loading for an ended session. */
  #controller = new AbortController()

  constructor(tools: Tools) {
    this.#tools = tools
    this.#store = createKeyStore(tools)
  }

  /** Aborts when the session key ends, or with the page. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Returns the state of the key that this page or another one of this browser created. */
  async state(): Promise<SessionState> {
    const { signal } = this.#controller
    const stored = await this.#read()
    if (signal.aborted || this.#loading) return this.#state
    if (stored) this.#activate(stored)
    else if (this.#key) this.#expire()
    return this.#state
  }

  /** Deletes the key in this browser and at the custody service, and stops waiting for its activities. */
  async end(): Promise<void> {
    const stored = this.#key?.stored
    this.release()
    if (stored) this.#revoke(stored)
    if (this.#state.status !== 'none') this.#setState({ status: 'none' })
    const removed = await this.#store.remove()
    if (removed && removed.publicKey !== stored?.publicKey) this.#revoke(removed)
  }

  /** Stops waiting for activities, and keeps the key for the next page. */
  release(): void {
    this.#controller.abort()
    this.#controller = new AbortController()
    this.#cancelTimer()
    this.#key = undefined
    this.#loading = undefined
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
    if (this.#loading?.organizationId === organizationId) return this.#loading.client
    const loading: Loading = { organizationId, client: this.#load(organizationId) }
    this.#loading = loading
    const end = () => {
      if (this.#loading === loading) this.#loading = undefined
    }
    loading.client.then(end, end)
    return loading.client
  }

  /** Reads the stored key each time, because another tab may have ended or replaced it. */
  async #load(organizationId: string): Promise<Client> {
    const { signal } = this.#controller
    const stored = await this.#read(organizationId)
    signal.throwIfAborted()
    if (stored) return this.#activate(stored)
    if (this.#key) this.#expire()
    return this.#createKey(organizationId)
  }

  /** Returns the stored key if it is this user's and valid; deletes any other. */
  async #read(organizationId?: string): Promise<StoredKey | undefined> {
    const stored = await this.#store.get()
    if (!stored) return undefined
    const { userId = stored.userId } = this.#tools.kernel.session.current
    const isOwn = stored.userId === userId && (organizationId ?? stored.organizationId) === stored.organizationId
    if (isOwn && !this.#isExpired(stored)) return stored
    await this.#store.remove(stored.publicKey)
    this.#revoke(stored)
    return undefined
  }

  #activate(stored: StoredKey): Client {
    const { publicKey, expirationDate } = stored
    if (this.#key?.stored.publicKey === publicKey) return this.#key.client
    const client = createClient(this.#tools, createKeyStamper(stored))
    this.#key = { stored, client }
    this.#cancelTimer()
    const { clock } = this.#tools.kernel
    const remaining = Date.parse(expirationDate) - EXPIRY_MARGIN_MS - clock.now()
    if (remaining <= MAX_TIMER_MS) this.#cancelTimer = clock.after(remaining, () => this.#expire())
    this.#setState({ status: 'active', expirationDate })
    return client
  }

  async #createKey(organizationId: string): Promise<Client> {
    const controller = this.#controller
    this.#setState({ status: 'loading' })
    try {
      const stored = await this.#requestKey(organizationId, controller.signal)
      await this.#store.put(stored)
      if (controller === this.#controller) return this.#activate(stored)
      await this.#store.remove(stored.publicKey)
      this.#revoke(stored)
      throw controller.signal.reason
    } catch (error) {
      if (controller === this.#controller) this.#setState({ status: 'none' })
      throw error
    }
  }

  async #requestKey(organizationId: string, signal: AbortSignal): Promise<StoredKey> {
    const { clock, session } = this.#tools.kernel
    const seconds = this.#seconds
    const owner = session.current.userId ?? ''
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
    return {
      ...(await importApiKey(decryptCredentialBundle(credentialBundle, embedded.privateKey))),
      userId: owner,
      organizationId,
      apiKeyId,
      custodyUserId: userId,
      expirationDate: new Date(startedAt + seconds * 1000).toISOString(),
    }
  }

  get #seconds(): number {
    return this.#tools.options.sessionSeconds ?? DEFAULT_SECONDS
  }

  /** Deletes the key at the custody service in the background. If the service is unreachable, the key ends at its expiry date. */
  #revoke(stored: StoredKey): void {
    const { organizationId, apiKeyId, custodyUserId } = stored
    if (this.#isExpired(stored)) return
    createClient(this.#tools, createKeyStamper(stored))
      .deleteApiKeys({
        ...this.#createEnvelope(organizationId),
        type: 'ACTIVITY_TYPE_DELETE_API_KEYS',
        parameters: { userId: custodyUserId, apiKeyIds: [apiKeyId] },
      })
      .catch((error: unknown) => this.#tools.kernel.logger.debug('turnkey', error))
  }

  /** A key that outlasts the longest lifetime was created before the clock was set back, so its age is unknown. */
  #isExpired({ expirationDate }: StoredKey): boolean {
    const remaining = Date.parse(expirationDate) - this.#tools.kernel.clock.now()
    return !(remaining > EXPIRY_MARGIN_MS && remaining <= this.#seconds * 1000)
  }

  #expire(): void {
    const publicKey = this.#key?.stored.publicKey
    this.#cancelTimer()
    this.#key = undefined
    if (publicKey !== undefined) void this.#store.remove(publicKey)
    this.#setState({ status: 'expired' })
  }

  #setState(state: SessionState): void {
    this.#state = state
    this.#tools.kernel.events.emit('turnkey:session', state)
  }
}
