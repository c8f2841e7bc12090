/** A browser's side of WebAuthn in a page that has none, around an authenticator in software that signs for real. */
import { type Authenticator, newAuthenticator } from '@keybay/sandbox-api/testing/authenticator'

/** What the user at the dialogue does. */
export type Person = 'approves' | 'refuses' | 'refuses-in-firefox' | 'is-away'

export interface Browser {
  person: Person
  /** Made so far; the last one answers. */
  readonly passkeys: readonly Authenticator[]
  /** What `create` and `get` were asked for. */
  readonly asked: readonly { readonly publicKey: Record<string, unknown>; readonly mediation: unknown }[]
  /** Dialogues that are open. */
  readonly open: number
  /** The ids of passkeys that the page said are unknown. */
  readonly forgotten: readonly string[]
  /** Whoever is asked now answers at last. */
  comesBack(): Promise<void>
  /** Whether the list below a field is there. */
  autofill: boolean
  /** The browser takes its time to say so: until `saysWhether`. */
  hesitates: boolean
  /** How often it was asked and has not answered. */
  readonly asksWhether: number
  saysWhether(): void
  remove(): void
}

function bytesOf(text: unknown): ArrayBuffer {
  const bytes = Buffer.from(String(text), 'base64url')
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
}

function textOf(bytes: unknown): string {
  return bytes instanceof ArrayBuffer ? Buffer.from(bytes).toString('base64url') : String(bytes)
}

/** As JSON has them: what the authenticator in software takes. */
function asJson({ challenge, user, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return {
    ...rest,
    challenge: textOf(challenge),
    ...(user !== undefined && { user: { ...Object(user), id: textOf(Object(user).id) } }),
  }
}
/** As a page has them. */
function asCredential(json: object) {
  const { id, rawId, type, response } = Object(json)
  const buffers = Object.entries(response).map(([name, value]) => [
    name,
    name === 'transports' ? value : bytesOf(value),
  ])
  return {
    id,
    rawId: bytesOf(rawId),
    type,
    authenticatorAttachment: 'platform',
    getClientExtensionResults: () => ({}),
    response: { ...Object.fromEntries(buffers), getTransports: () => ['internal'] },
  }
}

interface Asked {
  readonly publicKey: Record<string, unknown>
  readonly mediation?: unknown
  readonly signal?: AbortSignal
}

/** Takes the page's place of `navigator.credentials`, and behaves as Chromium does: one request at a time. */
export function installBrowser(rpId = location.hostname): Browser {
  const passkeys: Authenticator[] = []
  const asked: { publicKey: Record<string, unknown>; mediation: unknown }[] = []
  const forgotten: string[] = []
  let hesitating: (() => void)[] = []
  let pending: { answer(): void; over: Promise<unknown> } | undefined

  const request = async (options: Asked, answer: () => object) => {
    if (pending) throw new DOMException('A request is already pending.', 'OperationError')
    const { publicKey, mediation, signal } = options
    signal?.throwIfAborted()
    asked.push({ publicKey, mediation })
    let act = () => {}
    const over = new Promise<object>((resolve, reject) => {
      act = () => {
        try {
          resolve(asCredential(answer()))
        } catch (error) {
          reject(error)
        }
      }
      // A browser needs a moment to close its dialogue.
      signal?.addEventListener('abort', () => setTimeout(() => reject(signal.reason)))
      const { person } = browser
      if (person === 'refuses') reject(new DOMException('The operation was not allowed.', 'NotAllowedError'))
      if (person === 'refuses-in-firefox') reject(new DOMException('The operation was aborted.', 'AbortError'))
      if (person === 'approves' && mediation !== 'conditional') act()
    })
    pending = { answer: act, over }
    try {
      return await over
    } finally {
      pending = undefined
    }
  }
  const credentials = {
    create: (options: Asked) =>
      request(options, () => {
        const { excludeCredentials } = options.publicKey
        const known = Array.isArray(excludeCredentials) ? excludeCredentials.map(({ id }) => textOf(id)) : []
        if (passkeys.some(({ id }) => known.includes(id))) throw new DOMException('Registered', 'InvalidStateError')
        const made = newAuthenticator(rpId)
        passkeys.push(made)
        return made.create(asJson(options.publicKey), location.origin)
      }),
    get: (options: Asked) =>
      request(options, () => {
        const passkey = passkeys.at(-1)
        if (!passkey) throw new DOMException('There is no passkey.', 'NotAllowedError')
        return passkey.get(asJson(options.publicKey), location.origin)
      }),
  }
  const PublicKeyCredential = Object.assign(() => {}, {
    async isConditionalMediationAvailable() {
      if (browser.hesitates) await new Promise<void>(resolve => hesitating.push(resolve))
      return browser.autofill
    },
    async signalUnknownCredential({ credentialId }: { readonly credentialId: string }) {
      forgotten.push(credentialId)
    },
  })
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: credentials })
  Object.defineProperty(globalThis, 'PublicKeyCredential', { configurable: true, value: PublicKeyCredential })
  const browser: Browser = {
    person: 'approves',
    autofill: true,
    hesitates: false,
    get asksWhether() {
      return hesitating.length
    },
    saysWhether() {
      const waiting = hesitating
      hesitating = []
      for (const answer of waiting) answer()
    },
    passkeys,
    asked,
    forgotten,
    get open() {
      return pending ? 1 : 0
    },
    async comesBack() {
      const waiting = pending
      waiting?.answer()
      await waiting?.over.catch(() => {})
    },
    remove() {
      Reflect.deleteProperty(navigator, 'credentials')
      Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
    },
  }
  return browser
}
