/** Implements a kit in plain Node (a session key, proofs, calls), and starts an API with its inbox for a test file. */
import { createHash, type KeyObject, randomUUID, sign } from 'node:crypto'
import { type Inbox, type Message, startInbox } from '@keybay/sandbox-inbox'
import { newKeyPair } from '@keybay/sandbox-service/key-pair'
import type { Authenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { totpAt } from '@keybay/sandbox-tools/testing/totp'
import { expect } from 'vitest'
import { type Api, type ApiOptions, type EnvironmentSettings, type LogLine, startApi } from '../src/index.js'
import { withStandIns } from '../src/stand-ins.js'
import { newDatabase } from './database.js'
import { APP } from './origin.js'

export { APP }
export const settings: EnvironmentSettings = {
  name: 'Acme',
  allowedOrigins: [APP, 'http://localhost:4000'],
  merge: true,
}

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

export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('base64url')
}

/** Authenticator app of a user, as its enrolment created it. */
export interface Totp {
  readonly deviceId: string
  readonly secret: string
  readonly uri: string
  readonly recoveryCodes: readonly string[]
}

export interface Kit {
  readonly publicKey: object
  token: string | undefined
  refresh: string | undefined
  call(path: string, options?: CallOptions): Promise<Answer>
  proofFor(method: string, path: string, rawBody: string, claims?: Readonly<Record<string, unknown>>): string
  sign(header: object, claims: object): string
  keep(answer: Answer): Answer
  /** Requests a code for an email address or phone number, below a path such as `/auth`. */
  sendCode(below: string, to: string, environmentId?: string): Promise<{ verificationId: string; code: string }>
  signInByEmail(email: string, environmentId?: string): Promise<Answer>
  /** Links an email address or phone number with a code from the inbox. */
  link(to: string, environmentId?: string): Promise<Answer>
  addPasskey(authenticator: Authenticator, name?: string): Promise<Answer>
  enrolTotp(environmentId?: string): Promise<Totp>
  /** Requests a token for one call and makes the call with it. */
  callWithMfa(
    path: string,
    options: CallOptions,
    answer: object | ((options: Record<string, unknown>) => object),
    deviceId?: string,
  ): Promise<Answer>
}

export interface World {
  readonly api: Api
  readonly inbox: Inbox
  readonly logs: LogLine[]
  kit(key?: KeyObject): Kit
  signedIn(email: string, environmentId?: string): Promise<Kit>
  apiToken(environmentId?: string): Promise<string>
  /** Returns the next code of an authenticator app, because each code works once. */
  nextTotp(secret: string): string
  /** Returns the newest mail. */
  mailTo(address: string): Promise<Message>
  /** Returns the newest mail with a subject, or waits for it: a notice comes after the response to what caused it. */
  mailAbout(subject: string, address: string): Promise<Message>
  smsTo(phone: string): Promise<Message>
  /** Returns the newest code that was sent to an email address or phone number. */
  codeTo(address: string): Promise<string>
  stop(): Promise<void>
}

export function newKey(): KeyObject {
  return newKeyPair('P-256').privateKey
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

export function signJws(header: object, claims: object, key: KeyObject): string {
  const text = `${encode({ alg: 'ES256', ...header })}.${encode(claims)}`
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

export async function refused(answer: Answer | Promise<Answer>, status: number, code: string, details?: object) {
  expect(await answer).toMatchObject({ status, body: { code, ...(details && { details }) } })
}

export function getStatuses(answers: readonly Pick<Answer, 'status'>[]): readonly number[] {
  return answers.map(({ status }) => status).sort()
}

/** Returns the cookies that a response set, as the next request sends them. */
export function getCookies({ headers }: Answer): string {
  const cookies = headers.getSetCookie().map(cookie => cookie.split(';')[0])
  return cookies.join('; ')
}

export async function signInByCookie(world: World, email: string, headers: Record<string, string>) {
  const kit = world.kit()
  const body = { ...(await kit.sendCode('/auth', email)), storage: 'cookie' }
  const answer = await kit.call('/auth/email/verify', { body, headers })
  return { kit, answer, cookie: getCookies(answer) }
}

/** Place of an API that a kit calls. */
export interface KitTarget {
  readonly port: number
  readonly clock: { now(): number }
  /** Origin that proofs name; default: that of the port. */
  readonly origin?: string
}

/**
 * Returns the newest code that an inbox has for an address. It arrives before the response of the API; a notice of an
 * earlier request may arrive after it.
 */
export async function readCode({ port }: Pick<Inbox, 'port'>, address: string): Promise<string> {
  const response = await nodeFetch(`http://127.0.0.1:${port}/api/messages?to=${encodeURIComponent(address)}`)
  const { messages }: { readonly messages: readonly Message[] } = await response.json()
  const codes = messages.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0])
  return codes.find(code => code !== undefined) ?? ''
}

export function createKit(world: Pick<World, 'codeTo'>, api: KitTarget, key: KeyObject = newKey()) {
  const base = `http://127.0.0.1:${api.port}`
  const { origin = base } = api
  const { d: _, ...publicKey } = key.export({ format: 'jwk' })
  const kit: Kit = {
    publicKey,
    token: undefined,
    refresh: undefined,
    sign: (header, claims) => signJws(header, claims, key),
    proofFor(method, path, rawBody, claims = {}) {
      const facts = { jti: randomUUID(), htm: method, htu: origin + path, iat: Math.floor(api.clock.now() / 1000) }
      const body = rawBody !== '' && { bh: sha256(rawBody) }
      return kit.sign({ typ: 'dpop+jwt', jwk: publicKey }, { ...facts, ...body, ...claims })
    },
    async call(path, options = {}) {
      const { body, token = kit.token, proof = {}, environmentId = 'local' } = options
      const method = options.method ?? (body === undefined && options.rawBody === undefined ? 'GET' : 'POST')
      const rawBody = options.rawBody ?? (body === undefined ? '' : JSON.stringify(body))
      const whole = path.startsWith('/api/') || path.startsWith('/admin') ? path : `/api/v0/sdk/${environmentId}${path}`
      const ath = token && { ath: sha256(token) }
      const response = await nodeFetch(base + whole, {
        method,
        headers: {
          ...(rawBody !== '' && { 'content-type': 'application/json' }),
          ...(token && { authorization: `Bearer ${token}` }),
          ...(proof &&
            method !== 'GET' && {
              dpop: kit.proofFor(method, whole.split('?')[0] ?? '', rawBody, { ...ath, ...proof }),
            }),
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
    async sendCode(below, to, environmentId = 'local') {
      const [channel, body] = to.includes('@') ? ['email', { email: to }] : ['phone', { phoneNumber: to }]
      const { verificationId } = (await kit.call(`${below}/${channel}`, { body, environmentId })).body
      return { verificationId, code: await world.codeTo(to) }
    },
    async signInByEmail(email, environmentId = 'local') {
      const body = await kit.sendCode('/auth', email, environmentId)
      return kit.keep(await kit.call('/auth/email/verify', { body, environmentId }))
    },
    async link(to, environmentId = 'local') {
      const below = '/users/me/credentials'
      const body = await kit.sendCode(below, to, environmentId)
      return kit.call(`${below}/${to.includes('@') ? 'email' : 'phone'}/verify`, { body, environmentId })
    },
    async addPasskey(authenticator, name) {
      const { challengeId, options } = (await kit.call('/users/me/passkeys/options', { method: 'POST' })).body
      const body = { challengeId, response: authenticator.create(options), name }
      return kit.call('/users/me/passkeys', { body })
    },
    async enrolTotp(environmentId = 'local') {
      const enrolment = await kit.call('/mfa/devices', { body: { method: 'totp', name: 'Phone' }, environmentId })
      const { device, challenge, totp } = enrolment.body
      const body = { challengeId: challenge.challengeId, code: totpAt(totp.secret, api.clock.now()) }
      const { recoveryCodes } = (await kit.call(`/mfa/devices/${device.id}/confirm`, { body, environmentId })).body
      return { deviceId: device.id, ...totp, recoveryCodes }
    },
    async callWithMfa(path, options, answer, deviceId) {
      const rawBody = options.body === undefined ? '' : JSON.stringify(options.body)
      const method = options.method ?? 'POST'
      const { environmentId = 'local' } = options
      const requestHash = sha256(`${method}\n/api/v0/sdk/${environmentId}${path}\n${rawBody}`)
      const scope = { action: 'user.update', requestHash, deviceId }
      const begun = (await kit.call('/mfa/challenges', { body: scope, environmentId })).body
      const body = typeof answer === 'function' ? answer(begun.options) : answer
      const proved = await kit.call(`/mfa/challenges/${begun.challengeId}`, { body, environmentId })
      if (proved.status !== 200) return proved
      return kit.call(path, { ...options, method, headers: { 'x-keybay-mfa-token': proved.body.mfaToken } })
    },
  }
  return kit
}

/** Node's own fetch: a test may replace the global with a page's. */
export const nodeFetch: typeof fetch = globalThis.fetch

/** Starts an API on a new database, with an inbox for its messages. */
export async function startWorld(options: Partial<ApiOptions> = {}): Promise<World> {
  const inbox = await startInbox()
  // An API with custody keeps its approver's keys beside its database, which no other instance shares.
  const isAlone = options.dataDir !== undefined || options.custody !== undefined
  const databaseUrl = isAlone ? undefined : await newDatabase()
  const logs: LogLine[] = []
  const api = await startApi(
    withStandIns({
      mode: 'sandbox',
      environments: { local: settings },
      smtpUrl: inbox.smtpUrl,
      smsUrl: `http://127.0.0.1:${inbox.port}/sms`,
      limitFactor: 100,
      ...(databaseUrl !== undefined && { databaseUrl }),
      log: line => {
        logs.push(line)
        if (line.message === 'unexpected error') console.error(line.error)
      },
      ...options,
    }),
  )
  const latest = async (filter: { readonly to: string; readonly subject?: string }): Promise<Message> => {
    const query = new URLSearchParams({ ...filter, wait: '20000' })
    const response = await nodeFetch(`http://127.0.0.1:${inbox.port}/api/messages/latest?${query}`)
    if (!response.ok) throw new Error(`Nothing arrived: ${query}`)
    return response.json()
  }
  const world: World = {
    api,
    inbox,
    logs,
    kit: key => createKit(world, api, key),
    async signedIn(email, environmentId) {
      const kit = world.kit()
      await kit.signInByEmail(email, environmentId)
      return kit
    },
    async apiToken(environmentId = 'local') {
      const options = { body: { name: 'tests' }, token: api.operatorToken, proof: false, environmentId } as const
      return (await world.kit().call('/api-tokens', options)).body.token
    },
    nextTotp(secret) {
      api.clock.advance(30_000)
      return totpAt(secret, api.clock.now())
    },
    mailTo: to => latest({ to }),
    mailAbout: (subject, to) => latest({ to, subject }),
    smsTo: to => latest({ to }),
    codeTo: address => readCode(inbox, address),
    async stop() {
      await api.stop()
      await inbox.stop()
    },
  }
  return world
}
