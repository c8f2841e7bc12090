/** Adds WebAuthn to a page without it (happy-dom), with software authenticators that really sign. */
import { type Authenticator, newAuthenticator } from './software-authenticator.js'

/** User's action in the browser's dialog. */
export type UserAction = 'approves' | 'refuses' | 'refuses-in-firefox' | 'is-away'

interface PasskeyRequest {
  readonly kind: 'create' | 'get'
  readonly publicKey: Record<string, unknown>
  readonly mediation: unknown
}
export interface PagePasskeys {
  user: UserAction
  /** Passkeys created so far. The last one that a request allows answers the request. */
  readonly passkeys: Authenticator[]
  readonly requests: readonly PasskeyRequest[]
  readonly open: number
  /** IDs of passkeys that the page reported as unknown. */
  readonly forgotten: readonly string[]
  /** Answers the open request. */
  answer(): Promise<void>
  /** Offers passkeys below a field when true. */
  hasAutofill: boolean
  /** Delays the report about autofill until `reportAutofill` when true. */
  delaysAutofill: boolean
  readonly delayed: number
  reportAutofill(): void
  remove(): void
}

interface Options {
  readonly publicKey: Record<string, unknown>
  readonly mediation?: unknown
  readonly signal?: AbortSignal
}

function toBuffer(text: unknown): ArrayBuffer {
  return new Uint8Array(Buffer.from(String(text), 'base64url')).buffer
}

function toText(value: unknown): string {
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString('base64url')
  if (ArrayBuffer.isView(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64url')
  return String(value)
}

/** Converts a page's options to those of the software authenticator. */
function toJson({ challenge, user, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return {
    ...rest,
    challenge: toText(challenge),
    ...(user !== undefined && { user: { ...Object(user), id: toText(Object(user).id) } }),
  }
}

/** Converts the software authenticator's result to a page's credential. */
function toCredential(json: object) {
  const { id, rawId, type, response } = Object(json)
  const buffers = Object.entries(response).map(([name, value]) => [
    name,
    name === 'transports' ? value : toBuffer(value),
  ])
  return {
    id,
    rawId: toBuffer(rawId),
    type,
    authenticatorAttachment: 'platform',
    getClientExtensionResults: () => ({}),
    response: { ...Object.fromEntries(buffers), getTransports: () => ['internal'] },
  }
}

function listIds(credentials: unknown): readonly string[] {
  return Array.isArray(credentials) ? credentials.map(({ id }) => toText(id)) : []
}

function createPasskey({ publicKey }: Options, rpId: string, passkeys: Authenticator[]) {
  const excluded = listIds(publicKey.excludeCredentials)
  if (passkeys.some(({ id }) => excluded.includes(id))) throw new DOMException('Registered', 'InvalidStateError')
  const passkey = newAuthenticator(rpId)
  passkeys.push(passkey)
  return passkey.create(toJson(publicKey), location.origin)
}

function usePasskey({ publicKey }: Options, passkeys: readonly Authenticator[]) {
  const allowed = listIds(publicKey.allowCredentials)
  const passkey = passkeys.findLast(({ id }) => allowed.length === 0 || allowed.includes(id))
  if (!passkey) throw new DOMException('There is no passkey.', 'NotAllowedError')
  return passkey.get(toJson(publicKey), location.origin)
}

/** Replaces `navigator.credentials` and behaves like Chromium: one request at a time. */
export function installPasskeys(rpId: string = location.hostname): PagePasskeys {
  const requests: PasskeyRequest[] = []
  const forgotten: string[] = []
  let delayed: (() => void)[] = []
  let pending: { answer(): void; settled: Promise<unknown> } | undefined

  const request = async (kind: 'create' | 'get', options: Options) => {
    if (pending) throw new DOMException('A request is already pending.', 'OperationError')
    const { publicKey, mediation, signal } = options
    signal?.throwIfAborted()
    requests.push({ kind, publicKey, mediation })
    const { promise, resolve, reject } = withResolvers<object>()
    const answer = () => {
      try {
        const { passkeys } = page
        resolve(
          toCredential(kind === 'create' ? createPasskey(options, rpId, passkeys) : usePasskey(options, passkeys)),
        )
      } catch (error) {
        reject(error)
      }
    }
    // A browser closes its dialog in a later task.
    signal?.addEventListener('abort', () => setTimeout(() => reject(signal.reason)))
    const { user } = page
    if (user === 'refuses') reject(new DOMException('The operation was not allowed.', 'NotAllowedError'))
    if (user === 'refuses-in-firefox') reject(new DOMException('The operation was aborted.', 'AbortError'))
    if (user === 'approves' && mediation !== 'conditional') answer()
    pending = { answer, settled: promise }
    try {
      return await promise
    } finally {
      pending = undefined
    }
  }
  const page: PagePasskeys = {
    user: 'approves',
    hasAutofill: true,
    delaysAutofill: false,
    passkeys: [],
    requests,
    forgotten,
    get delayed() {
      return delayed.length
    },
    get open() {
      return pending ? 1 : 0
    },
    reportAutofill() {
      const reports = delayed
      delayed = []
      for (const report of reports) report()
    },
    async answer() {
      const current = pending
      current?.answer()
      await current?.settled.catch(() => {})
    },
    remove() {
      Reflect.deleteProperty(navigator, 'credentials')
      Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
    },
  }
  const PublicKeyCredential = Object.assign(() => {}, {
    async isConditionalMediationAvailable() {
      if (page.delaysAutofill) await new Promise<void>(resolve => delayed.push(resolve))
      return page.hasAutofill
    },
    async signalUnknownCredential({ credentialId }: { readonly credentialId: string }) {
      forgotten.push(credentialId)
    },
  })
  const credentials = {
    create: (options: Options) => request('create', options),
    get: (options: Options) => request('get', options),
  }
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: credentials })
  Object.defineProperty(globalThis, 'PublicKeyCredential', { configurable: true, value: PublicKeyCredential })
  return page
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}
