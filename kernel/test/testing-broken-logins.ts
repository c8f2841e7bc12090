/** Logins with one fault each, and the check that must find it. */
import type { Credential, LoginMethod } from '../src/index.js'
import { type Broken, brokenLogin } from './testing-break.js'
import { SECRETS } from './testing-mutant-logins.js'

/** A credential that the compiler refuses. */
function forged(method: LoginMethod, proof: unknown): Credential {
  return Object.assign({ method, proof: {} } as const, { proof }) as Credential
}

export const brokenLogins: readonly Broken[] = [
  brokenLogin('its method is unknown', 'login: a known method', 'telepathy is no method', mock => ({
    ...Object.defineProperty({ ...mock.connector }, 'method', { value: 'telepathy', enumerable: true }),
  })),
  brokenLogin(
    'its credential is of another method',
    'connect: a login gives a credential of its method',
    'not {"method":"passkey"',
    () => ({
      connect: async (_input, { signal }) => {
        await Promise.resolve()
        signal.throwIfAborted()
        return { method: 'passkey', proof: { x: 'x' } }
      },
    }),
  ),
  brokenLogin(
    'it signs in by itself after a cancel',
    'late answer: changes nothing after a cancel',
    'a response after the cancel must connect nothing',
    (mock, kernel) => ({
      async connect(input, ctx) {
        const credential = await mock.connector.connect(input, ctx)
        if (mock.fault === 'never-answers') await kernel.session.set({ status: 'authenticated', userId: 'late' })
        return credential
      },
    }),
  ),
  brokenLogin(
    'it signs in by itself after a disconnect',
    'disconnect: in flight, connects nothing',
    'that a disconnect ended must connect nothing',
    (mock, kernel) => ({
      async connect(input, ctx) {
        if (!mock.fault) await kernel.session.set({ status: 'authenticated', userId: 'early' })
        return mock.connector.connect(input, ctx)
      },
    }),
  ),
  brokenLogin('it does not know its own return', 'claims: its own return address', 'claims must be true for', () => ({
    claims: () => false,
  })),
  brokenLogin(
    'it misses the return from a redirect',
    'resume: an unexpected return is reported, and the page goes on',
    'must be a failed attempt',
    () => ({ claims: () => false }),
  ),
  brokenLogin(
    'it signs in without an attempt',
    'resume: without an attempt connects nothing',
    'a resume without an attempt must fail',
    () => ({ claims: () => false, resume: async () => ({ method: 'email', proof: { replayed: true } }) }),
  ),
  brokenLogin(
    'its credential proves nothing',
    'connect: a login gives a credential of its method',
    '"proof":false',
    ({ connector: { method } }) => ({
      connect: async (_input, { signal }) => {
        await Promise.resolve()
        signal.throwIfAborted()
        return forged(method, '')
      },
    }),
  ),
  brokenLogin('it prints a secret', SECRETS, 'a secret must not leave', mock => ({
    connect(input, ctx) {
      console.info('connecting', { password: 'hunter2' })
      return mock.connector.connect(input, ctx)
    },
  })),
  brokenLogin('it logs a secret', SECRETS, 'a secret must not leave', mock => ({
    connect(input, ctx) {
      ctx.log.error('connecting with hunter2')
      return mock.connector.connect(input, ctx)
    },
  })),
]
