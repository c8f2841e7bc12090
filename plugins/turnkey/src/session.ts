/**
 * Session keys (S4.1): none → loading → active until its date → expired. A key is in memory alone; asked of the passkey
 * once, however many operations wait for it.
 */
import type { SessionKey } from '@keybay/kernel/spec'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { decryptCredentialBundle, generateP256KeyPair, getPublicKey } from '@turnkey/crypto'
import type { SessionState } from './api.js'
import { bytesToHex, hexToBytes } from './bytes.js'
import { passkeyStamper } from './passkey.js'
import { type Activity, type Client, createClient, finish, isKeyGone, type Result } from './service.js'
import type { Tools } from './tools.js'

const DEFAULT_SECONDS = 900
/** Before its date: what is under way when it comes would fail. */
const MARGIN_MS = 5_000

/** Of an API key: what `createClient` stamps with. @param privateKey 32 bytes, hex */
export function keyClient(tools: Tools, privateKey: string): Client {
  const apiPublicKey = bytesToHex(getPublicKey(hexToBytes(privateKey), true))
  return createClient(tools, new ApiKeyStamper({ apiPublicKey, apiPrivateKey: privateKey }))
}

export interface Sessions {
  readonly state: SessionState
  /** Removes the key, here and at custody, and waits for nothing that was asked with it. */
  end(): void
  /**
   * Runs an operation with the session key; a key that is expired or missing is removed, a fresh one made, and the
   * operation run once more.
   */
  use<T>(organizationId: string, run: (client: Client) => Promise<T>): Promise<T>
  /**
   * Asks for an activity so, and waits for its end. Once it is accepted it is not asked for again, whatever becomes of the key.
   *
   * @throws what `finish` throws
   */
  act(organizationId: string, submit: Submit): Promise<Result>
  /**
   * Asks for what a session key may not do: the passkey stamps this very request, and verifies its user.
   *
   * @param passkeys credential ids: no other passkey is offered
   * @throws what `finish` throws
   */
  confirm(organizationId: string, submit: Submit, passkeys?: readonly string[]): Promise<Result>
}
type Submit = (client: Client) => Promise<Activity>
interface SessionEntry {
  readonly record: SessionKey
  readonly organizationId: string
  readonly client: Client
  /** Names of the key and of its user at custody. */
  readonly apiKeyId: string
  readonly userId: string
}

export function createSessions(tools: Tools): Sessions {
  const { kernel, options } = tools
  const { clock, events } = kernel
  let state: SessionState = { status: 'none' }
  let key: SessionEntry | undefined
  let loading: { readonly organizationId: string; readonly client: Promise<Client> } | undefined
  /** Another one after every `end`: what was loading for the one before is not kept. */
  let span = new AbortController()

  const show = (next: SessionState) => {
    state = next
    events.emit('turnkey:session', next)
  }
  const isExpired = ({ record }: SessionEntry) => Date.parse(record.expirationDate) - MARGIN_MS <= clock.now()

  /** Deletes the key at custody in the background. Where custody is not reached, the key ends at its date. */
  const revoke = (entry: SessionEntry): void => {
    const { organizationId, client, apiKeyId, userId } = entry
    if (isExpired(entry)) return
    client
      .deleteApiKeys({
        type: 'ACTIVITY_TYPE_DELETE_API_KEYS',
        timestampMs: String(clock.now()),
        organizationId,
        parameters: { userId, apiKeyIds: [apiKeyId] },
      })
      .catch((error: unknown) => kernel.logger.debug('turnkey', error))
  }

  const make = async (organizationId: string): Promise<Client> => {
    const own = span
    show({ status: 'loading' })
    try {
      const seconds = options.sessionSeconds ?? DEFAULT_SECONDS
      const embedded = generateP256KeyPair()
      const passkey = createClient(tools, await passkeyStamper(tools))
      const asked = clock.now()
      const answer = await passkey.createReadWriteSession({
        type: 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2',
        timestampMs: String(asked),
        organizationId,
        parameters: { targetPublicKey: embedded.publicKeyUncompressed, expirationSeconds: String(seconds) },
      })
      const result = await finish(tools, answer, {
        ask: activityId => passkey.getActivity({ organizationId, activityId }),
        signal: own.signal,
      })
      const { credentialBundle = '', apiKeyId = '', userId = '' } = result.createReadWriteSessionResultV2 ?? {}
      const privateKey = decryptCredentialBundle(credentialBundle, embedded.privateKey)
      const record: SessionKey = {
        publicKey: bytesToHex(getPublicKey(hexToBytes(privateKey), true)),
        privateKey,
        expirationDate: new Date(asked + seconds * 1000).toISOString(),
      }
      const client = keyClient(tools, privateKey)
      const entry = { record, organizationId, client, apiKeyId, userId }
      if (own === span) {
        key = entry
        show({ status: 'active', expirationDate: record.expirationDate })
      } else revoke(entry)
      return client
    } catch (error) {
      if (own === span) show({ status: 'none' })
      throw error
    }
  }

  const clientOf = (organizationId: string): Promise<Client> => {
    if (key && (key.organizationId !== organizationId || isExpired(key))) {
      key = undefined
      show({ status: 'expired' })
    }
    if (key) return Promise.resolve(key.client)
    if (loading?.organizationId === organizationId) return loading.client
    const own = { organizationId, client: make(organizationId) }
    loading = own
    const over = () => {
      if (loading === own) loading = undefined
    }
    own.client.then(over, over)
    return own.client
  }

  const use: Sessions['use'] = async (organizationId, run) => {
    const own = span
    const client = await clientOf(organizationId)
    try {
      return await run(client)
    } catch (error) {
      // Who has signed out, or locked the wallet, is asked for no passkey.
      if (!isKeyGone(error) || own !== span) throw error
      // Another operation may have made a fresh one meanwhile.
      if (key?.client === client) {
        key = undefined
        show({ status: 'expired' })
      }
      return run(await clientOf(organizationId))
    }
  }

  return {
    get state(): SessionState {
      return key && isExpired(key) ? { status: 'expired' } : state
    },
    end() {
      span.abort()
      span = new AbortController()
      if (key) revoke(key)
      key = undefined
      loading = undefined
      if (state.status !== 'none') show({ status: 'none' })
    },
    use,
    async act(organizationId, submit) {
      const { signal } = span
      return finish(tools, await use(organizationId, submit), {
        ask: activityId => use(organizationId, client => client.getActivity({ organizationId, activityId })),
        signal,
      })
    },
    async confirm(organizationId, submit, passkeys) {
      const { signal } = span
      const passkey = createClient(tools, await passkeyStamper(tools, { userVerification: 'required', passkeys }))
      return finish(tools, await submit(passkey), {
        ask: activityId => use(organizationId, client => client.getActivity({ organizationId, activityId })),
        signal,
      })
    },
  }
}
