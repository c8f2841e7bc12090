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
export const keyClient = (tools: Tools, privateKey: string): Client => {
  const apiPublicKey = bytesToHex(getPublicKey(hexToBytes(privateKey), true))
  return createClient(tools, new ApiKeyStamper({ apiPublicKey, apiPrivateKey: privateKey }))
}

export interface Sessions {
  readonly state: SessionState
  /** Removes the key, and waits for nothing that was asked with it. */
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
  act(organizationId: string, submit: (client: Client) => Promise<Activity>): Promise<Result>
}

export const createSessions = (tools: Tools): Sessions => {
  const { kernel, options } = tools
  const { clock, events } = kernel
  let state: SessionState = { status: 'none' }
  let key: { readonly record: SessionKey; readonly organizationId: string; readonly client: Client } | undefined
  let loading: { readonly organizationId: string; readonly client: Promise<Client> } | undefined
  /** Another one after every `end`: what was loading for the one before is not kept. */
  let span = new AbortController()

  const show = (next: SessionState) => {
    state = next
    events.emit('turnkey:session', next)
  }
  const isExpired = ({ record }: NonNullable<typeof key>) =>
    Date.parse(record.expirationDate) - MARGIN_MS <= clock.now()

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
      const bundle = result.createReadWriteSessionResultV2?.credentialBundle ?? ''
      const privateKey = decryptCredentialBundle(bundle, embedded.privateKey)
      const record: SessionKey = {
        publicKey: bytesToHex(getPublicKey(hexToBytes(privateKey), true)),
        privateKey,
        expirationDate: new Date(asked + seconds * 1000).toISOString(),
      }
      const client = keyClient(tools, privateKey)
      if (own === span) {
        key = { record, organizationId, client }
        show({ status: 'active', expirationDate: record.expirationDate })
      }
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
  }
}
