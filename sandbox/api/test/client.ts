/** Implements a kit in plain Node (a session key, proofs, calls), and starts an API with its inbox for a test file. */
import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { type Inbox, type Message, startInbox } from '@keybay/sandbox-inbox'
import { type Api, type ApiOptions, type EnvironmentSettings, type LogLine, startApi } from '../src/index.js'
import { withStandIns } from '../src/stand-ins.js'
import { APP } from './origin.js'

export { APP }
export const settings: EnvironmentSettings = { name: 'Acme', allowedOrigins: [APP, 'http://localhost:4000'] }

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read JSON of every route, and expect says what it must be
  readonly body: any
  readonly headers: Headers
}

export interface CallOptions {
  readonly method?: string
  readonly body?: unknown
  /** Sent instead of `body` as JSON. */
  readonly rawBody?: string
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Claims that replace the proof's own; false sends no proof. */
  readonly proof?: Readonly<Record<string, unknown>> | false
  readonly environmentId?: string
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('base64url')
}

export interface Kit {
  readonly publicKey: object
  /** Last known tokens. */
  token: string | undefined
  refresh: string | undefined
  call(path: string, options?: CallOptions): Promise<Answer>
  proofFor(method: string, path: string, rawBody: string, claims?: Readonly<Record<string, unknown>>): string
  /** Keeps the tokens of a sign-in response. */
  keep(answer: Answer): Answer
  /** Signs in with a code from the inbox. */
  signInByEmail(email: string): Promise<Answer>
  /** Requests a token for one call and makes the call with it. */
  callWithMfa(path: string, options: CallOptions, answer: object, deviceId?: string): Promise<Answer>
}

export interface World {
  readonly api: Api
  readonly inbox: Inbox
  readonly logs: LogLine[]
  kit(key?: KeyObject): Kit
  mailTo(address: string, after?: string): Promise<Message>
  smsTo(phone: string): Promise<Message>
  getCode(message: Message): string
  stop(): Promise<void>
}

export function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
}

export function createKit(
  world: Pick<World, 'mailTo' | 'getCode'>,
  api: Pick<Api, 'port' | 'clock'>,
  key = newKey(),
): Kit {
  const base = `http://127.0.0.1:${api.port}`
  const { d: _, ...publicKey } = key.export({ format: 'jwk' })
  const kit: Kit = {
    publicKey,
    token: undefined,
    refresh: undefined,
    proofFor(method, path, rawBody, claims = {}) {
      const header = encode({ alg: 'ES256', typ: 'dpop+jwt', jwk: publicKey })
      const payload = encode({
        jti: randomUUID(),
        htm: method,
        htu: base + path,
        iat: Math.floor(api.clock.now() / 1000),
        ...(rawBody !== '' && { bh: sha256(rawBody) }),
        ...claims,
      })
      const signature = sign('sha256', Buffer.from(`${header}.${payload}`), { key, dsaEncoding: 'ieee-p1363' })
      return `${header}.${payload}.${signature.toString('base64url')}`
    },
    async call(path, options = {}) {
      const { body, token = kit.token, proof = {}, environmentId = 'local' } = options
      const method = options.method ?? (body === undefined && options.rawBody === undefined ? 'GET' : 'POST')
      const rawBody = options.rawBody ?? (body === undefined ? '' : JSON.stringify(body))
      const whole = path.startsWith('/api/') || path.startsWith('/admin') ? path : `/api/v0/sdk/${environmentId}${path}`
      const response = await fetch(base + whole, {
        method,
        headers: {
          ...(rawBody !== '' && { 'content-type': 'application/json' }),
          ...(token && { authorization: `Bearer ${token}` }),
          ...(proof && method !== 'GET' && { dpop: kit.proofFor(method, whole.split('?')[0] ?? '', rawBody, proof) }),
          ...options.headers,
        },
        ...(rawBody !== '' && { body: rawBody }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers }
    },
    keep(answer) {
      kit.token = answer.body.accessToken ?? kit.token
      kit.refresh = answer.body.refreshToken ?? kit.refresh
      return answer
    },
    async signInByEmail(email) {
      const started = await kit.call('/auth/email', { body: { email } })
      const code = world.getCode(await world.mailTo(email))
      const { verificationId } = started.body
      return kit.keep(await kit.call('/auth/email/verify', { body: { verificationId, code } }))
    },
    async callWithMfa(path, options, answer, deviceId) {
      const rawBody = options.body === undefined ? '' : JSON.stringify(options.body)
      const method = options.method ?? 'POST'
      const requestHash = sha256(`${method}\n/api/v0/sdk/local${path}\n${rawBody}`)
      const begun = await kit.call('/mfa/challenges', { body: { action: 'user.update', requestHash, deviceId } })
      const proved = await kit.call(`/mfa/challenges/${begun.body.challengeId}`, { body: answer })
      if (proved.status !== 200) return proved
      return kit.call(path, { ...options, headers: { 'x-keybay-mfa-token': proved.body.mfaToken } })
    },
  }
  return kit
}

/** Starts an API on PGlite in memory, with an inbox for its messages. */
export async function startWorld(options: Partial<ApiOptions> = {}): Promise<World> {
  const inbox = await startInbox()
  const logs: LogLine[] = []
  const api = await startApi(
    withStandIns({
      environments: { local: settings },
      smtpUrl: inbox.smtpUrl,
      smsUrl: `http://127.0.0.1:${inbox.port}/sms`,
      limitFactor: 100,
      log: line => {
        logs.push(line)
        if (line.message === 'unexpected error') console.error(line.error)
      },
      ...options,
    }),
  )
  const latest = async (to: string): Promise<Message> => {
    const response = await fetch(
      `http://127.0.0.1:${inbox.port}/api/messages/latest?to=${encodeURIComponent(to)}&wait=5000`,
    )
    if (!response.ok) throw new Error(`Nothing arrived for ${to}`)
    return response.json()
  }
  const world: World = {
    api,
    inbox,
    logs,
    kit: key => createKit(world, api, key),
    mailTo: latest,
    smsTo: latest,
    getCode: ({ text }) => /\b(\d{6})\b/.exec(text)?.[1] ?? '',
    async stop() {
      await api.stop()
      await inbox.stop()
    },
  }
  return world
}
