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
import { type Client, createClient, finish, isKeyGone } from './service.js'
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
  /** Removes the key. */
  end(): void
  /**
   * Runs an operation with the session key; a key that is expired or missing is removed, a fresh one made, and the
   * operation run once more.
   */
  use<T>(organizationId: string, run: (client: Client) => Promise<T>): Promise<T>
}

export const createSessions = (tools: Tools): Sessions => {
  const { kernel, options } = tools
  const { clock, events } = kernel
  let state: SessionState = { status: 'none' }
  let key: { readonly record: SessionKey; readonly organizationId: string; readonly client: Client } | undefined
  let loading: { readonly organizationId: string; readonly client: Promise<Client> } | undefined
  /** Changes with every `end`: what was loading for the one before is not kept. */
  let generation = 0

  const show = (next: SessionState) => {
    state = next
    events.emit('turnkey:session', next)
  }
  const isExpired = ({ record }: NonNullable<typeof key>) =>
    Date.parse(record.expirationDate) - MARGIN_MS <= clock.now()

  const make = async (organizationId: string): Promise<Client> => {
    const own = generation
    show({ status: 'loading' })
    try {
      const seconds = options.sessionSeconds ?? DEFAULT_SECONDS
      const embedded = generateP256KeyPair()
      const passkey = createClient(tools, await passkeyStamper(tools))
      const asked = clock.now()
      const result = await finish(
        tools,
        passkey,
        await passkey.createReadWriteSession({
          type: 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2',
          timestampMs: String(asked),
          organizationId,
          parameters: { targetPublicKey: embedded.publicKeyUncompressed, expirationSeconds: String(seconds) },
        }),
      )
      const bundle = result.createReadWriteSessionResultV2?.credentialBundle ?? ''
      const privateKey = decryptCredentialBundle(bundle, embedded.privateKey)
      const record: SessionKey = {
        publicKey: bytesToHex(getPublicKey(hexToBytes(privateKey), true)),
        privateKey,
        expirationDate: new Date(asked + seconds * 1000).toISOString(),
      }
      const client = keyClient(tools, privateKey)
      if (own === generation) {
        key = { record, organizationId, client }
        show({ status: 'active', expirationDate: record.expirationDate })
      }
      return client
    } catch (error) {
      if (own === generation) show({ status: 'none' })
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

  return {
    get state(): SessionState {
      return key && isExpired(key) ? { status: 'expired' } : state
    },
    end() {
      generation++
      key = undefined
      loading = undefined
      if (state.status !== 'none') show({ status: 'none' })
    },
    async use(organizationId, run) {
      const client = await clientOf(organizationId)
      try {
        return await run(client)
      } catch (error) {
        if (!isKeyGone(error)) throw error
        // Another operation may have made a fresh one meanwhile.
        if (key?.client === client) {
          key = undefined
          show({ status: 'expired' })
        }
        return run(await clientOf(organizationId))
      }
    },
  }
}
