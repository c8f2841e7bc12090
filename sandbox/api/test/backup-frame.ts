/** Simulates a wallet frame with a backup: its own key, the page's statement, and an envelope with its public header. */
import { randomBytes, randomUUID } from 'node:crypto'
import { type Answer, APP, createKit, type Kit, sha256, type World } from './client.js'

export const FRAME = 'http://wallet.localhost:4200'

export function getSession(kit: Kit): string {
  return JSON.parse(Buffer.from(kit.token?.split('.')[1] ?? '', 'base64url').toString()).sid
}

export function getStatement(
  world: Pick<World, 'api'>,
  kit: Kit,
  claims: object = {},
  typ = 'keybay-session+jwt',
): string {
  const iat = Math.floor(world.api.clock.now() / 1000)
  const own = { sid: getSession(kit), op: 'backupKeyShares', origin: APP, iat, jti: randomUUID() }
  return kit.sign({ typ }, { ...own, ...claims })
}

export function getEnvelope(walletId: string, epoch = 0, size = 300, shares = ['B1']): string {
  const header = Buffer.from(JSON.stringify({ version: 1, walletId, epoch, shares }))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(header.length)
  return Buffer.concat([Buffer.from('KEYBAY01'), length, header, randomBytes(size)]).toString('base64url')
}

export interface FrameRequest {
  readonly method?: string
  readonly body?: object
  readonly origin?: string
  /** Statement of the session's key. */
  readonly session?: string
  /** Origin that the proof names. Default: that of the instance of the key. */
  readonly service?: string
  /** Access token that the proof names. Default: that of the page. */
  readonly token?: string | undefined
}

export interface TestFrame {
  /** Headers of one request: each call makes a proof of its own. */
  headers(path: string, request?: FrameRequest): Record<string, string>
  ask(path: string, request?: FrameRequest): Promise<Answer>
  register(): Promise<Answer>
  keep(walletId: string, epoch?: number, envelope?: string): Promise<Answer>
  list(walletId: string): Promise<Answer>
  read(walletId: string, id: string): Promise<Answer>
  erase(walletId: string, id: string): Promise<Answer>
  restore(walletId: string, id: string): Promise<Answer>
  /** Enters a second factor in the frame, by an authenticator app. */
  enterFactor(code: string, deviceId: string): Promise<Answer>
}

/** Creates a frame with a key of its own, which is not registered yet. @param page the kit of the page around it */
export function createFrame(world: Pick<World, 'api' | 'codeTo'>, page: Kit, api = world.api): TestFrame {
  const key = createKit(world, api)
  const headers: TestFrame['headers'] = (
    path,
    { method, body, origin = FRAME, session, service, token = page.token } = {},
  ) => {
    const text = body === undefined ? '' : JSON.stringify(body)
    const verb = method ?? (body === undefined ? 'GET' : 'POST')
    const whole = `/api/v0/sdk/local${path}`
    const dpop = key.proofFor(verb, whole, text, {
      ath: sha256(token ?? ''),
      ...(service !== undefined && { htu: service + whole }),
    })
    return { origin, dpop, 'x-keybay-session': session ?? getStatement(world, page) }
  }
  const ask: TestFrame['ask'] = (path, request = {}) =>
    page.call(path, { ...request, proof: false, headers: headers(path, request) })
  return {
    headers,
    ask,
    register: () => ask('/frame-keys', { method: 'POST' }),
    keep: (walletId, epoch = 0, envelope = getEnvelope(walletId, epoch)) =>
      ask(`/backups/${walletId}`, { body: { epoch, envelope } }),
    list: walletId => ask(`/backups/${walletId}`),
    read: (walletId, id) => ask(`/backups/${walletId}/${id}`),
    erase: (walletId, id) => ask(`/backups/${walletId}/${id}`, { method: 'DELETE' }),
    restore: (walletId, id) => ask(`/backups/${walletId}/${id}/restore`, { method: 'POST' }),
    async enterFactor(code, deviceId) {
      const scope = { action: 'wallet.waas.reshare', requestHash: randomBytes(32).toString('base64url') }
      const statement = getStatement(world, page, { op: 'mfa', hash: scope.requestHash })
      const { id } = (await ask('/mfa/frame', { body: { ...scope, statement } })).body
      const { challengeId } = (await ask(`/mfa/frame/${id}/challenges`, { body: { deviceId } })).body
      return ask(`/mfa/frame/${id}/answer`, { body: { challengeId, code } })
    },
  }
}

export async function registeredFrame(world: World, page: Kit): Promise<TestFrame> {
  const frame = createFrame(world, page)
  const { status } = await frame.register()
  if (status !== 204) throw new Error(`The frame's key was refused: ${status}`)
  return frame
}
