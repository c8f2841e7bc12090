/**
 * Runs a user's browser in Node: the frame's real operations and storage (IndexedDB of `fake-indexeddb`), a user who
 * agrees to every question, and a network that a test can make lie.
 */
import 'fake-indexeddb/auto'
import { createHash, randomUUID } from 'node:crypto'
import { type Chain, type Clock, KeybayError } from '@keybay/kernel/spec'
import { jws } from '@keybay/sandbox-relay/testing/frame/request'
import { APP, type World } from '@keybay/sandbox-relay/testing/world'
import { combineShares, type KeyShare, openBackup, readBackupHeader, solanaAddress } from '@keybay/waas/mpc'
import {
  type ExternalQuestion,
  type HandlerContext,
  operationOf,
  type PayloadOf,
  type Progress,
  type ResultOf,
  type WaasMessageType,
} from '@keybay/waas/protocol'
import { createRelayClient } from '@keybay/waas/relay-client'
import { Window } from 'happy-dom'
import { fetchRelayKeys } from '../../src/page/ceremony/boxes.js'
import { openChains } from '../../src/page/chains/index.js'
import { createApiFetch } from '../../src/page/core/api-fetch.js'
import type { Frame } from '../../src/page/core/frame.js'
import { createSession } from '../../src/page/core/session.js'
import { createHandlers } from '../../src/page/operations/index.js'
import { createHeightReport } from '../../src/page/screen/height.js'
import type { Question, Screen } from '../../src/page/screen/screen.js'
import { createSigners } from '../../src/page/sign/signers.js'
import { type Database, openDatabase } from '../../src/page/store/database.js'
import { openShare } from '../../src/page/store/keep.js'
import type { KeptSet, KeptShare } from '../../src/page/store/kept.js'
import type { Locks } from '../../src/page/store/locks.js'
import { openShareStore, type ShareStore } from '../../src/page/store/share-store.js'

// Questions consist of elements, which these tests do not inspect.
const { document, HTMLElement, HTMLInputElement } = new Window()
Object.assign(globalThis, { document, HTMLElement, HTMLInputElement })

export const PASSWORD = 'correct horse'
/** Derives at once, because these tests do not measure time. */
async function argon2id(password: Uint8Array, salt: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(createHash('sha256').update(password).update(salt).digest())
}

export type User = Awaited<ReturnType<World['user']>>
/** Answers a request in the relay's place, or lets it through. */
export type Intercept = (
  path: string,
  send: () => Promise<Response>,
  signal?: AbortSignal | null,
) => Promise<Response> | undefined
type Request<T extends WaasMessageType> = Omit<PayloadOf<T>, 'authToken' | 'signedSessionId' | 'chainName'> & {
  /** Default: Solana. */
  readonly chainName?: Chain
}

export interface Device {
  readonly store: ShareStore
  /** Envelopes in the page's own storage, by epoch. */
  readonly backups: Map<string, Uint8Array>
  /** True if the app erases backups of other epochs when the frame says so; default: no. */
  erasesBackups: boolean
  /** Titles of the questions that the user agreed to. */
  readonly agreed: string[]
  intercept: Intercept | undefined
  /** Offset of this browser's clock from the relay's, in ms. */
  skewMs: number
  /** Returns the user's answer to a question; default: yes. */
  answer: (title: string) => boolean
  /** Amount of SOL a day that the user types into each offer not to ask again; undefined: the user ignores it. */
  grant: string | undefined
  /** Amount of each token a day that the user types there. */
  tokenGrant: string | undefined
  /** Progress that the window shows. */
  shown: string
  /** Progress that the page received. */
  readonly progress: Progress[]
  /** Runs once as another tab, while the user reads the next question. */
  whileAsked: (() => Promise<unknown>) | undefined
  /** Sends a message as the page does. */
  send<const T extends WaasMessageType>(type: T, request: Request<T>, visible?: boolean): Promise<ResultOf<T>>
  kept(): Promise<readonly KeptSet[]>
  /** Returns true if shares of this browser and its backups make the wallet's key without any relay. */
  recovers(address: string): Promise<boolean>
}

function createLocks(): Locks {
  const running = new Map<string, Promise<unknown>>()
  const inTurn = <T>(name: string, act: () => Promise<T>): Promise<T> => {
    const turn = (running.get(name) ?? Promise.resolve()).then(act, act)
    running.set(
      name,
      turn.catch(() => undefined),
    )
    return turn
  }
  return { reading: inTurn, changing: inTurn }
}

let browsers = 0

/** Shorter than in the browser, so that tests of a silent service do not take long. */
const TIMEOUT_MS = 10_000

export function newDisk(): Disk {
  return { database: openDatabase(`browser-${++browsers}`), backups: new Map() }
}

/** Services that a device reaches. */
export interface Surroundings {
  readonly r1: Pick<World['r1'], 'internalUrl'> & { readonly clock: Pick<Clock, 'now'> }
  readonly api: { readonly api: Pick<World['r1'], 'url'> }
  /** R2, for schemes in which it holds a share. */
  readonly r2?: Pick<World['r2'], 'internalUrl'>
}
/** Parts of a browser that survive its end. */
export interface Disk {
  readonly database: Database
  readonly backups: Device['backups']
}

export async function openDevice(world: Surroundings, user: User, disk: Disk = newDisk()): Promise<Device> {
  const { recordKeys } = await (await fetch(`${world.r1.internalUrl}/sdk/local/party`)).json()
  const r2 = world.r2 && (await (await fetch(`${world.r2.internalUrl}/party`)).json())
  const configuration = {
    environmentId: 'local',
    baseApiUrl: world.api.api.url,
    relays: [
      { party: 'R1' as const, url: world.r1.internalUrl, recordKeys },
      // The frame reads only whether R2 exists.
      ...(world.r2 ? [{ party: 'R2' as const, url: world.r2.internalUrl, recordKeys }] : []),
    ],
    parentOrigins: [APP],
  }
  const clock = {
    now: () => world.r1.clock.now() + self.skewMs,
    after: (ms: number, run: () => void) => {
      const timer = setTimeout(run, Math.min(ms, 5))
      return () => clearTimeout(timer)
    },
  }
  const store = openShareStore('local', disk.database)
  const request: typeof fetch = (input, init) => {
    const path = new URL(String(input)).pathname.replace('/api/v0/sdk/local', '')
    const send = () => fetch(input, init)
    return self.intercept?.(path, send, init?.signal) ?? send()
  }
  const relay = createRelayClient({ configuration, now: clock.now, fetch: request, timeoutMs: TIMEOUT_MS })
  const session = createSession()
  const parts = {
    configuration,
    hostOrigin: APP,
    clock,
    session,
    store,
    locks: createLocks(),
    relay,
    apiFetch: createApiFetch({ store, clock, fetch: request, timeoutMs: TIMEOUT_MS }),
    openFactor: () => Promise.reject(new Error('no factor here')),
    relayKeys: () => fetchRelayKeys(relay, r2 ? [{ party: r2.party, sealingKey: r2.sealingKey }] : []),
    argon2id,
    loadChains: async () => openChains(),
    loadDrives: () => import('../../src/page/backup/drives/index.js'),
    loadWindow: () => import('../../src/page/chains/solana/window.js'),
    loadUpkeep: () => import('../../src/page/operations/upkeep.js'),
    downloads: { save: async () => {}, close() {} },
    grants: { returnUrl: '', token: () => Promise.reject(new Error('no drive here')), close() {} },
    hostKeeper: { of: () => keepIn(self), answer() {} },
    signers: createSigners(),
    close() {},
  }
  const self: Device = {
    store,
    backups: disk.backups,
    erasesBackups: false,
    agreed: [],
    intercept: undefined,
    skewMs: 0,
    answer: () => true,
    grant: undefined,
    tokenGrant: undefined,
    shown: '',
    progress: [],
    whileAsked: undefined,
    async send(type, request, visible = true) {
      const authToken = user.kit.token
      if (authToken === undefined) throw new Error('no user is signed in')
      session.take(authToken)
      const fullRequest = { chainName: 'SOL', ...request }
      const payload = { ...fullRequest, authToken, signedSessionId: await signSession(world, user, type, fullRequest) }
      const frame = { ...parts, heights: createHeightReport(), screen: createScreen(self, visible) }
      return handle(frame, type, payload, progress => void self.progress.push(progress))
    },
    kept: () => store.list(user.userId),
    recovers: address => recovers(self, address),
  }
  return self
}

/** Keeps backups as the page's own storage. */
function keepIn({ backups, erasesBackups }: Pick<Device, 'backups' | 'erasesBackups'>) {
  return async ({ action, walletId, epoch, id, envelope }: Omit<ExternalQuestion, 'request'>) => {
    const place = `${walletId} ${id}`
    if (action === 'save' && envelope) backups.set(place, envelope)
    if (action === 'erase' && erasesBackups)
      for (const [other, copy] of backups) {
        const { set } = readBackupHeader(copy)
        if (set.walletId === walletId && set.epoch < epoch) backups.delete(other)
      }
    return action === 'load' ? backups.get(place) : undefined
  }
}

/** Newest code of a device that waits to be added, as its user reads it. */
let shownCode = ''

/** Reads the code that a question shows, or types the groups of it that a question asks for. */
function readOrType(
  content: Question<unknown>['content'],
  { grant, tokenGrant }: Pick<Device, 'grant' | 'tokenGrant'>,
): void {
  for (const part of content) {
    if (!(part instanceof HTMLElement)) continue
    const box = part.querySelector('#grant')
    if (box instanceof HTMLInputElement) box.checked = grant !== undefined
    const asset = /^(\w+) a day/.exec(part.textContent ?? '')?.[1]
    const amount = asset ? part.querySelector('input') : undefined
    const typed = asset === 'SOL' ? grant : tokenGrant
    if (amount && typed !== undefined) amount.value = typed
    if (part.matches('pre.code')) shownCode = part.textContent ?? ''
    const group = /^Group (\d)$/.exec(part.querySelector('label')?.textContent ?? '')
    const input = part.querySelector('input')
    if (group && input) input.value = shownCode.split('-')[Number(group[1]) - 1] ?? ''
  }
}

/** Shows questions to a user who answers at once. */
function createScreen(device: Device, visible: boolean): Screen {
  const ask = async <T>({ title, content, read, until, signal }: Question<T>): Promise<T> => {
    if (!visible) throw new KeybayError({ code: 'consent_required', message: 'Ask' })
    if (!device.answer(title)) throw new KeybayError({ code: 'user_rejected', message: 'The user said no' })
    device.agreed.push(title)
    readOrType(content, device)
    const { whileAsked } = device
    device.whileAsked = undefined
    await whileAsked?.()
    return until ? until(signal ?? new AbortController().signal) : read()
  }
  const show = (text: string) => {
    device.shown = text
  }
  return { visible, ask, busy: show, step() {}, clear: () => show('') }
}

/** Runs the handler of a message, as the frame's receiver does. */
async function handle(frame: Frame, type: WaasMessageType, payload: object, progress: HandlerContext['progress']) {
  const connection = { port: new MessageChannel().port1, view: 'visible' as const, checkExchange() {}, close() {} }
  const endings: (() => void)[] = []
  const atEnd = (act: () => void) => void endings.push(act)
  const context = { signal: new AbortController().signal, progress, atEnd }
  const handler = createHandlers(frame, connection)[type]
  if (!handler) throw new Error(`no handler of ${type}`)
  try {
    return await Reflect.apply(handler, undefined, [payload, context])
  } finally {
    for (const end of endings) end()
  }
}

async function signSession(
  world: Surroundings,
  { key, sessionId }: User,
  type: WaasMessageType,
  request: object,
): Promise<string> {
  const { operation, wallet, hash } = await operationOf(type, Object(request))
  const iat = Math.floor(world.r1.clock.now() / 1000)
  const claims = { sid: sessionId, op: operation, ...(wallet && { wallet }), hash, origin: APP, iat, jti: randomUUID() }
  return jws(key, 'keybay-session+jwt', claims)
}

/** Returns every share that one stored set holds. */
export function heldBy(set: KeptSet): readonly KeptShare[] {
  return [set, ...(set.aside ?? [])].flatMap(({ share, pending }) => (pending ? [share, pending.share] : [share]))
}

/** Opens every share of the device. */
async function getShares({ store, kept }: Device): Promise<readonly KeyShare[]> {
  const sets = await kept()
  const shares = sets.flatMap(set => heldBy(set).map(share => openShare({ store, argon2id }, set, share, undefined)))
  return Promise.all(shares)
}

async function getEnvelopes({ kept, backups }: Device): Promise<readonly Uint8Array[]> {
  const sets = await kept()
  const here = sets
    .flatMap(set => [set, ...(set.aside ?? [])])
    .flatMap(({ envelope, pending }) => [envelope, pending?.envelope])
  return [...backups.values(), ...here].flatMap(envelope => (envelope ? [envelope] : []))
}

async function recovers(device: Device, address: string): Promise<boolean> {
  const held = (await getShares(device)).filter(({ set }) => solanaAddress(set) === address)
  for (const envelope of await getEnvelopes(device)) {
    const { shares } = await openBackup(envelope, PASSWORD, argon2id)
    if (held.some(share => combines([share, ...shares]))) return true
  }
  return false
}

function combines(shares: readonly KeyShare[]): boolean {
  try {
    combineShares(shares)
    return true
  } catch {
    return false
  }
}
