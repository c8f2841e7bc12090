/** Logins that leak a secret, or whose proof `account` refuses. */
import type { ConnectContext, Credential, Kernel, LoginMethod } from '../src/index.js'
import { type Broken, brokenLogin } from './testing-break.js'

export const SECRETS = 'secrets: none in a log, an event, the page, its storage, an address or another tab'
const PROOF = 'connect: the proof has the shape of its method'
const SECRET = 'hunter2'

type Leak = (ctx: Pick<ConnectContext, 'log'>, kernel: Kernel<never>) => unknown

function print(level: 'debug' | 'error' | 'log', value: unknown) {
  const { console } = globalThis
  console[level](value)
}

/** Sends without waiting for an answer. */
function request(address: string) {
  void fetch(address).catch(() => {})
}

const leaks: readonly (readonly [place: string, says: string, leak: Leak])[] = [
  ['the log at debug', 'the log (debug)', ({ log }) => log.debug(`got ${SECRET}`)],
  ['the log at info', 'the log (info)', ({ log }) => log.info(`got ${SECRET}`)],
  ['the log at warn', 'the log (warn)', ({ log }) => log.warn('got', { value: SECRET })],
  ['the kernel’s log', 'the log (debug)', (_, { logger }) => logger.debug(`got ${SECRET}`)],
  ['console.debug', 'the console (debug)', () => print('debug', SECRET)],
  ['console.error', 'the console (error)', () => print('error', new Error(SECRET))],
  ['console.log', 'the console (log)', () => print('log', { deep: { value: SECRET } })],
  ['localStorage', 'localStorage “acme”', () => localStorage.setItem('acme', SECRET)],
  ['a key of localStorage', 'localStorage “acme-', () => localStorage.setItem(`acme-${SECRET}`, '')],
  ['sessionStorage', 'sessionStorage “acme”', () => sessionStorage.setItem('acme', SECRET)],
  ['the kernel’s storage', 'localStorage “keybay:', (_, { storage }) => storage.set('acme', { value: SECRET })],
  ['the address', 'the page’s address', () => history.replaceState(null, '', `#${SECRET}`)],
  ['the query of the address', 'the page’s address', () => history.replaceState(null, '', `?acme=${SECRET}`)],
  ['the history', 'history.state', () => history.replaceState({ value: SECRET }, '')],
  [
    'document.title',
    'document.title',
    () => {
      document.title = SECRET
    },
  ],
  [
    'a cookie',
    'document.cookie',
    () => {
      Reflect.set(document, 'cookie', `acme=${SECRET}`)
    },
  ],
  [
    'window.name',
    'window.name',
    () => {
      window.name = SECRET
    },
  ],
  ['the document', 'the document', () => document.documentElement.setAttribute('data-acme', SECRET)],
  ['a global', 'globalThis.acmeToken', () => Reflect.set(globalThis, 'acmeToken', SECRET)],
  ['a global object', 'globalThis.acme ', () => Reflect.set(globalThis, 'acme', { value: SECRET })],
  ['the address of fetch', 'a request (fetch)', () => request(`http://127.0.0.1:1/?token=${SECRET}`)],
  [
    'a Request',
    'a request (fetch)',
    () => {
      void fetch(new Request(`http://127.0.0.1:1/${SECRET}`)).catch(() => {})
    },
  ],
  [
    'a BroadcastChannel',
    'BroadcastChannel “acme”',
    () => {
      const channel = new BroadcastChannel('acme')
      channel.postMessage({ value: SECRET })
      channel.close()
    },
  ],
  ['a message to other tabs', 'BroadcastChannel “keybay:', (_, { tabs }) => tabs.post({ type: 'acme', data: SECRET })],
  ['an event', 'the event network', (_, { events }) => Reflect.apply(events.emit, events, ['network', SECRET])],
]

/** Undoes what a leak leaves in the page that all tests share. */
export function cleanPage(): void {
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
  document.title = ''
  Reflect.set(document, 'cookie', 'acme=; max-age=0')
  window.name = ''
  document.documentElement.removeAttribute('data-acme')
  for (const name of ['acme', 'acmeToken']) Reflect.deleteProperty(globalThis, name)
}

const proofs: readonly (readonly [method: LoginMethod, what: string, says: string, proof: unknown])[] = [
  ['externalUser', 'the bare token', 'must be { token: string }', 'token'],
  ['externalUser', 'a token by another name', 'must be { token: string }', { jwt: 'token' }],
  ['externalUser', 'an empty token', 'must be { token: string }', { token: '' }],
  ['externalUser', 'a token that is a number', 'must be { token: string }', { token: 7 }],
  ['externalUser', 'a list', 'must be { token: string }', ['token']],
  ['blockchain', 'an object', 'must be the id of the wallet connector', { connectorId: 'mock' }],
  ['blockchain', 'an empty id', 'must be the id of the wallet connector', ''],
  ['email', 'the code', 'must be an object', '123456'],
  ['phoneNumber', 'nothing', 'must be an object', undefined],
  ['passkey', 'a list', 'must be an object', ['response']],
  ['oauth', 'null', 'must be an object', null],
]

function provingLogin(method: LoginMethod, proof: unknown, [what, says]: readonly [string, string]): Broken {
  return brokenLogin(`${method} is proved by ${what}`, PROOF, says, () => ({
    method,
    async connect(_input, { signal }): Promise<Credential> {
      await Promise.resolve()
      signal.throwIfAborted()
      return Object.assign({ method, proof: {} }, { proof }) as Credential
    },
  }))
}

const others: readonly Broken[] = [
  brokenLogin('it stays open', 'dispose: leaves no listener, timer or element', 'BroadcastChannel “acme”', mock => ({
    connect(input, ctx) {
      new BroadcastChannel('acme')
      return mock.connector.connect(input, ctx)
    },
  })),
  brokenLogin(
    'it announces the session',
    'events: only the kernel emits those of the kernel',
    'it emitted session:changed',
    (mock, { events }) => ({
      connect(input, ctx) {
        events.emit('session:changed', { session: { status: 'authenticated', userId: 'forged' } })
        return mock.connector.connect(input, ctx)
      },
    }),
  ),
  brokenLogin(
    'it clears the storage',
    'storage: leaves the items of the app alone',
    'localStorage must keep',
    mock => ({
      connect(input, ctx) {
        localStorage.clear()
        return mock.connector.connect(input, ctx)
      },
    }),
  ),
]

export const mutantLogins: readonly Broken[] = [
  ...leaks.map(([place, says, leak]) =>
    brokenLogin(`it leaks into ${place}`, SECRETS, says.trim(), (mock, kernel) => ({
      async connect(input, ctx) {
        const answer = await mock.connector.connect(input, ctx)
        await leak(ctx, kernel)
        return answer
      },
    })),
  ),
  ...proofs.map(([method, what, says, proof]) => provingLogin(method, proof, [what, says])),
  ...others,
]
