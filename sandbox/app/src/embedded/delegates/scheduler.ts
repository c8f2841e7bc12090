/** The app's own scheduler, a server that people may let pay for them: what it is asked over HTTP. */
import { type ErrorSpec, KeybayError } from '@keybay/kernel'
import { at, list, number, text } from '../../chain/json.js'

export interface SchedulerIdentity {
  readonly name: string
  /** X25519, 32 bytes: what `delegateKeyShares` takes. */
  readonly publicKey: Uint8Array
}
export interface Payment {
  /** ms since epoch */
  readonly dueAt: number
  readonly state: 'sent' | 'paid' | 'failed' | 'missed'
  readonly signature: string | undefined
  readonly error: string | undefined
}
export interface ScheduleState {
  readonly to: string
  readonly lamports: bigint
  /** s */
  readonly every: number
  readonly times: number
  readonly status: 'active' | 'stopped' | 'done'
  readonly payments: readonly Payment[]
  /** ms since epoch */
  readonly nextAt: number | undefined
  readonly stopped: { readonly code: string; readonly message: string } | undefined
  /** What is in the way now. */
  readonly trouble: string | undefined
}
export interface Order {
  readonly sealedShare: Uint8Array
  readonly to: string
  readonly lamports: bigint
  /** s */
  readonly every: number
  readonly times: number
}

const BASE = '/scheduler'
const JSON_TYPE = { 'content-type': 'application/json' }

async function ask(path: string, init: RequestInit): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(BASE + path, init)
  const body: unknown = await response.json().catch(() => undefined)
  return { status: response.status, body }
}
/** @throws Error in the words of the scheduler */
function answered({ status, body }: { readonly status: number; readonly body: unknown }): unknown {
  if (status < 300 && body !== undefined) return body
  throw new Error(text(at(body, 'message')) ?? 'The scheduler does not answer as it should.')
}

function bytesOf(base64url: string): Uint8Array {
  return Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), sign => sign.charCodeAt(0))
}

function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
}

/** @throws Error when there is none */
export async function readScheduler(signal: AbortSignal): Promise<SchedulerIdentity> {
  const body = answered(await ask('', { signal }))
  const name = text(at(body, 'name'))
  const publicKey = text(at(body, 'publicKey'))
  if (name === undefined || publicKey === undefined) throw new Error('There is no scheduler here.')
  return { name, publicKey: bytesOf(publicKey) }
}

const states = ['sent', 'paid', 'failed', 'missed'] as const

function paymentOf(body: unknown): Payment {
  return {
    dueAt: number(at(body, 'dueAt')) ?? 0,
    state: states.find(state => state === at(body, 'state')) ?? 'sent',
    signature: text(at(body, 'signature')),
    error: text(at(body, 'error', 'message')),
  }
}

/** @returns undefined when the scheduler does not have it @throws Error when it cannot be asked */
export async function readSchedule(setId: string, signal: AbortSignal): Promise<ScheduleState | undefined> {
  const body = answered(await ask(`/${setId}`, { signal }))
  if (at(body, 'status') === 'none') return undefined
  const status = (['stopped', 'done'] as const).find(one => one === at(body, 'status'))
  const code = text(at(body, 'stopped', 'code'))
  return {
    to: text(at(body, 'to')) ?? '',
    lamports: BigInt(text(at(body, 'lamports')) ?? '0'),
    every: number(at(body, 'every')) ?? 0,
    times: number(at(body, 'times')) ?? 0,
    status: status ?? 'active',
    payments: list(at(body, 'transfers')).map(paymentOf),
    nextAt: number(at(body, 'nextAt')),
    stopped: code === undefined ? undefined : { code, message: text(at(body, 'stopped', 'message')) ?? code },
    trouble: text(at(body, 'trouble', 'message')),
  }
}

/** Nobody said what became of an order. */
export const silent: ErrorSpec<'scheduler_silent'> = {
  code: 'scheduler_silent',
  message: 'The scheduler stopped answering. If it has your order, it stands above once it is back: look there first.',
}
/** Between tries, ms: a server that is started again takes some seconds. */
const WAITS = [1_000, 2_000, 4_000, 0]

/**
 * Brings the share, with what it is for. The same one twice is one order, so it is brought again while nobody answers.
 *
 * @throws Error in the words of the scheduler; KeybayError `scheduler_silent`
 */
export async function bringShare({ sealedShare, lamports, ...rest }: Order, signal: AbortSignal): Promise<void> {
  const body = JSON.stringify({ ...rest, lamports: Number(lamports), sealedShare: base64Of(sealedShare) })
  for (const wait of WAITS) {
    const answer = await ask('', { method: 'POST', headers: JSON_TYPE, body, signal }).catch(() => undefined)
    signal.throwIfAborted()
    if (answer) return void answered(answer)
    await new Promise(resolve => setTimeout(resolve, wait))
  }
  throw new KeybayError(silent)
}

/** Forgets the schedule and its share. */
export async function forgetSchedule(setId: string, signal: AbortSignal): Promise<void> {
  const answer = await ask(`/${setId}`, { method: 'DELETE', signal })
  if (answer.status !== 404) answered(answer)
}
