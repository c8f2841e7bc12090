/** Measures sign-in by code and renewal on one core of the product API, beside the bare framework. */
import { createClient } from './api-client.mjs'
import { load, SIDE_BY_SIDE, startMeasured, startPhone, undoing } from './measured.mjs'
import { figure } from './table.mjs'

/**
 * @typedef {Pick<import('./measured.mjs').Load, 'p50Ms' | 'p99Ms' | 'perCore'>} Load
 * @typedef {{ renewal: Load, signIn: Load }} RoleFigures A renewal is one request; a sign-in by code is two.
 * @typedef {{ api: RoleFigures, bare: RoleFigures }} ApiFigures
 */

/**
 * Starts the API, or bare Hono, and its users.
 * @param {(end: () => unknown) => void} onEnd @param {'api' | 'bare'} role
 */
export async function startUsers(onEnd, role) {
  const phone = await startPhone(onEnd)
  const measured = await startMeasured(onEnd, role, phone.url)
  const users = Array.from({ length: SIDE_BY_SIDE }, (_, index) => {
    const client = createClient(measured.ready.port)
    onEnd(client.close)
    const phoneNumber = `+4917012345${String(index).padStart(2, '0')}`
    const signIn = async () => {
      const { verificationId } = await client.call('/auth/phone', { phoneNumber })
      const code = role === 'api' ? await phone.code(phoneNumber) : '000000'
      return client.call('/auth/phone/verify', { verificationId, code })
    }
    return { client, signIn }
  })
  return { measured, users }
}

/** @param {Awaited<ReturnType<typeof startUsers>>['users']} users @returns the renewal of each user */
export function startRenewals(users) {
  return Promise.all(
    users.map(async ({ client, signIn }) => {
      let { refreshToken } = await signIn()
      return async () => {
        refreshToken = (await client.call('/auth/refresh', { refreshToken })).refreshToken
      }
    }),
  )
}

/** @param {'api' | 'bare'} role @param {number} ms @returns {Promise<RoleFigures>} */
function measureRole(role, ms) {
  return undoing(async onEnd => {
    const { measured, users } = await startUsers(onEnd, role)
    const signIn = await load(
      measured,
      users.map(user => user.signIn),
      ms,
    )
    return { signIn, renewal: await load(measured, await startRenewals(users), ms) }
  })
}

/** @param {number} ms duration of each of the four loads @returns {Promise<ApiFigures>} */
export async function measureApi(ms) {
  return { bare: await measureRole('bare', ms), api: await measureRole('api', ms) }
}

/** @param {ApiFigures} figures @returns {import('./reports.mjs').Report} */
export function reportApi({ api, bare }) {
  const row = (/** @type {string} */ title, /** @type {keyof RoleFigures} */ what) => {
    const [ours, theirs] = [api[what], bare[what]]
    const rates = [figure(ours.perCore, 0), figure(theirs.perCore, 0), figure(ours.perCore / theirs.perCore, 3)]
    return [title, figure(ours.p50Ms), figure(ours.p99Ms), ...rates]
  }
  return {
    tables: [
      {
        title: 'The product API on PGlite, eight users at once; bare: Hono and its Node server with constant answers',
        table: {
          head: ['', 'p50 ms', 'p99 ms', 'per core and s', 'bare', 'ratio'],
          rows: [row('renewal of a session', 'renewal'), row('sign-in by a code, two requests', 'signIn')],
        },
      },
    ],
    verdicts: [],
  }
}
