/** HTTP client of the app's own scheduler, a server that users can authorize to pay for them. */
import { type ErrorSpec, KeybayError } from '@keybay/kernel'
import { at, list, number, text } from '../../chain/rpc.js'
import type { Plan } from './rules.js'

export type SchedulerIdentity = Awaited<ReturnType<typeof readScheduler>>
export type ScheduleState = NonNullable<Awaited<ReturnType<typeof readSchedule>>>
export type Payment = ReturnType<typeof getPayment>

const JSON_TYPE = { 'content-type': 'application/json' }

async function send(path: string, init: RequestInit) {
  const response = await fetch(`/scheduler${path}`, init)
  const body: unknown = await response.json().catch(() => undefined)
  return { status: response.status, body }
}

/** @throws Error with the scheduler's message */
function getBody({ status, body }: Awaited<ReturnType<typeof send>>): unknown {
  if (status < 300 && body !== undefined) return body
  throw new Error(text(at(body, 'message')) ?? 'The scheduler does not answer as it should.')
}

/** Returns the name, and the X25519 public key as `delegateKeyShares` takes it. @throws Error without a scheduler */
export async function readScheduler(signal: AbortSignal) {
  const body = getBody(await send('', { signal }))
  const name = text(at(body, 'name'))
  const publicKey = text(at(body, 'publicKey'))
  if (name === undefined || publicKey === undefined) throw new Error('There is no scheduler here.')
  const base64 = publicKey.replaceAll('-', '+').replaceAll('_', '/')
  return { name, publicKey: Uint8Array.from(atob(base64), sign => sign.charCodeAt(0)) }
}

const STATES = ['sent', 'paid', 'failed', 'missed'] as const

/** Times are in ms since epoch. */
function getPayment(body: unknown) {
  return {
    dueAt: number(at(body, 'dueAt')) ?? 0,
    state: STATES.find(state => state === at(body, 'state')) ?? 'sent',
    signature: text(at(body, 'signature')),
    error: text(at(body, 'error', 'message')),
  }
}

/** @returns undefined when the scheduler does not have the schedule @throws Error when the request fails */
export async function readSchedule(setId: string, signal: AbortSignal) {
  const body = getBody(await send(`/${setId}`, { signal }))
  if (at(body, 'status') === 'none') return undefined
  const code = text(at(body, 'stopped', 'code'))
  return {
    to: text(at(body, 'to')) ?? '',
    lamports: BigInt(text(at(body, 'lamports')) ?? '0'),
    every: number(at(body, 'every')) ?? 0,
    times: number(at(body, 'times')) ?? 0,
    status: (['stopped', 'done'] as const).find(status => status === at(body, 'status')) ?? 'active',
    payments: list(at(body, 'transfers')).map(getPayment),
    nextAt: number(at(body, 'nextAt')),
    stopped: code === undefined ? undefined : { code, message: text(at(body, 'stopped', 'message')) ?? code },
    /** Current problem, if any. */
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
export async function bringShare(plan: Plan, share: Uint8Array, signal: AbortSignal): Promise<void> {
  const sealedShare = btoa(Array.from(share, byte => String.fromCharCode(byte)).join(''))
  const body = JSON.stringify({ ...plan, lamports: Number(plan.lamports), sealedShare })
  for (const wait of WAITS) {
    const answer = await send('', { method: 'POST', headers: JSON_TYPE, body, signal }).catch(() => undefined)
    signal.throwIfAborted()
    if (answer) return void getBody(answer)
    await new Promise(resolve => setTimeout(resolve, wait))
  }
  throw new KeybayError(silent)
}

export async function forgetSchedule(setId: string, signal: AbortSignal): Promise<void> {
  const answer = await send(`/${setId}`, { method: 'DELETE', signal })
  if (answer.status !== 404) getBody(answer)
}
