/** Has the user sign in again, where the API requires a recent sign-in. */
import type { ConnectContext, Connector, Credential, ExchangeContext, Kernel, WalletConnector } from '@keybay/kernel'
import { KeybayError, toKeybayError } from '@keybay/kernel/spec'
import { reauthenticationRequired } from './errors.js'
import type { Ask } from './factor.js'
import type { User, UserCredential } from './user.js'

export interface Reauthentication {
  /** True while a sign-in confirms the session, instead of linking. */
  readonly isRunning: boolean
  /** Records the API's confirmation. */
  confirm(): void
  /**
   * Asks the user which sign-in method to use, and runs it until one succeeds.
   *
   * @throws KeybayError `reauthentication_required` if this page offers no method of the user, `user_rejected`
   */
  ask(ask: Ask, signal?: AbortSignal): Promise<void>
}

interface Parts {
  readonly getUser: (signal?: AbortSignal) => Promise<User | undefined>
  readonly createContext: (signal: AbortSignal | undefined, connectorId: string) => ExchangeContext
  readonly enter: (connector: WalletConnector, ctx: ExchangeContext) => Promise<unknown>
  readonly exchange: (credential: Credential, ctx: ExchangeContext) => Promise<unknown>
}

interface Method {
  readonly id: string
  readonly label: string
  readonly connector: Connector
  readonly input: unknown
}

/** Returns true if the connector signs in with this credential, without leaving the page. */
function isFor(connector: Connector, { method, provider, walletName }: UserCredential): boolean {
  if (!/^(ready|loading)$/.test(connector.readiness)) return false
  if (connector.kind === 'wallet') return method === 'blockchain' && connector.name === walletName && !connector.resume
  return connector.method === method && (method !== 'oauth' || connector.id === `social:${provider}`)
}

function toMethods(connectors: readonly Connector[], credentials: readonly UserCredential[]): readonly Method[] {
  return credentials.flatMap(credential => {
    const connector = connectors.find(connector => isFor(connector, credential))
    if (!connector) return []
    const { id, email, phoneNumber, address, name } = credential
    const detail = email ?? phoneNumber ?? name ?? address
    const input = email === undefined ? phoneNumber && { phoneNumber } : { email }
    return [{ id, connector, input, label: detail === undefined ? connector.name : `${connector.name}: ${detail}` }]
  })
}

export function createReauthentication(
  { connectors, logger }: Kernel,
  { getUser, createContext, enter, exchange }: Parts,
): Reauthentication {
  let state: 'idle' | 'running' | 'confirmed' = 'idle'
  let asking: Promise<void> | undefined
  /** Runs beside the connector's own attempt, which may be the one that waits for this sign-in. */
  const signIn = async ({ connector, input }: Method, signal?: AbortSignal) => {
    const ctx = createContext(signal, connector.id)
    state = 'running'
    try {
      if (connector.kind === 'wallet') await enter(connector, ctx)
      else {
        const connecting: ConnectContext = {
          ...ctx,
          silent: false,
          gesture: connector.gesture?.(),
          redirect: () => Promise.reject(new KeybayError(reauthenticationRequired)),
          log: logger,
        }
        await exchange(await connector.connect(input, connecting), ctx)
      }
      return reauthentication.isRunning ? reauthenticationRequired.message : undefined
    } catch (thrown) {
      signal?.throwIfAborted()
      return toKeybayError(thrown).message
    } finally {
      state = 'idle'
    }
  }
  const askOnce = async (ask: Ask, signal?: AbortSignal) => {
    const user = await getUser(signal)
    const methods = toMethods(connectors.list(), user?.credentials ?? [])
    if (methods.length === 0) throw new KeybayError(reauthenticationRequired)
    const options = methods.map(({ id, label }) => ({ id, label }))
    let text: string | undefined = 'This change needs a recent sign-in.'
    while (text !== undefined) {
      const question = { id: 'recent' }
      const chosen: string = await ask({ type: 'choice', question, title: 'Sign in again to continue', text, options })
      const method = methods.find(({ id }) => id === chosen)
      text = method ? await signIn(method, signal) : text
    }
  }
  const reauthentication: Reauthentication = {
    get isRunning() {
      return state === 'running'
    },
    confirm() {
      state = 'confirmed'
    },
    ask(ask, signal) {
      asking ??= askOnce(ask, signal).finally(() => {
        asking = undefined
      })
      return asking
    },
  }
  return reauthentication
}
