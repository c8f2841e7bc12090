/** HTTP client of the app's own scheduler, a server that users can authorize to pay for them. */
import { type ErrorSpec, KeybayError } from '@keybay/kernel'
import { at, list, number, text } from '../../chain/rpc.js'

export interface SchedulerIdentity {
  readonly name: string
  /** X25519 public key, 32 bytes, as `delegateKeyShares` takes it. */
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
  /** Seconds. */
  readonly every: number
  readonly times: number
  readonly status: 'active' | 'stopped' | 'done'
  readonly payments: readonly Payment[]
  /** ms since epoch */
  readonly nextAt: number | undefined
  readonly stopped: { readonly code: string; readonly message: string } | undefined
  /** Current problem, if any. */
  readonly trouble: string | undefined
}
export interface Order {
  readonly sealedShare: Uint8Array
  readonly to: string
  readonly lamports: bigint
  /** Seconds. */
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
/** @throws Error with the scheduler's message */
function answered({ status, body }: { readonly status: number; readonly body: unknown }): unknown {
  if (status < 300 && body !== undefined) return body
  throw new Error(text(at(body, 'message')) ?? 'The scheduler does not answer as it should.')
}

function findBytes(base64url: string): Uint8Array {
  return Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), sign => sign.charCodeAt(0))
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
}

/** @throws Error when there is no scheduler */
export async function readScheduler(signal: AbortSignal): Promise<SchedulerIdentity> {
  const body = answered(await ask('', { signal }))
  const name = text(at(body, 'name'))
  const publicKey = text(at(body, 'publicKey'))
  if (name === undefined || publicKey === undefined) throw new Error('There is no scheduler here.')
  return { name, publicKey: findBytes(publicKey) }
}

const states = ['sent', 'paid', 'failed', 'missed'] as const

function getPayment(body: unknown): Payment {
  return {
    dueAt: number(at(body, 'dueAt')) ?? 0,
    state: states.find(state => state === at(body, 'state')) ?? 'sent',
    signature: text(at(body, 'signature')),
    error: text(at(body, 'error', 'message')),
  }
}

/** @returns undefined when the scheduler does not have the schedule @throws Error when the request fails */
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
    payments: list(at(body, 'transfers')).map(getPayment),
    nextAt: number(at(body, 'nextAt')),
    stopped: code === undefined ? undefined : { code, message: text(at(body, 'stopped', 'message')) ?? code },
    trouble: text(at(body, 'trouble', 'message')),
  }
}

/** The scheduler did not confirm whether it accepted an order. */
export const silent: ErrorSpec<'scheduler_silent'> = {
  code: 'scheduler_silent',
  message: 'The scheduler stopped answering. If it has your order, it stands above once it is back: look there first.',
}
/** Delays between retries, in ms: a restarting server takes some seconds. */
const WAITS = [1_000, 2_000, 4_000, 0]

/**
 * Sends the share with its order. Sending the same order again has no further effect, so a failed request is
 * retried.
 *
 * @throws Error with the scheduler's message; KeybayError `scheduler_silent`
 */
export async function bringShare({ sealedShare, lamports, ...rest }: Order, signal: AbortSignal): Promise<void> {
  const body = JSON.stringify({ ...rest, lamports: Number(lamports), sealedShare: toBase64(sealedShare) })
  for (const wait of WAITS) {
    const answer = await ask('', { method: 'POST', headers: JSON_TYPE, body, signal }).catch(() => undefined)
    signal.throwIfAborted()
    if (answer) return void answered(answer)
    await new Promise(resolve => setTimeout(resolve, wait))
  }
  throw new KeybayError(silent)
}

/** Deletes the schedule and its share. */
export async function forgetSchedule(setId: string, signal: AbortSignal): Promise<void> {
  const answer = await ask(`/${setId}`, { method: 'DELETE', signal })
  if (answer.status !== 404) answered(answer)
}
