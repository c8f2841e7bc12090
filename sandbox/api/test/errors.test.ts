/** Tests ERRORS.md: each server code of the specification is raised by the route that it names. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { SERVER_ERROR_CODES, SERVER_ERRORS, type ServerErrorCode } from '@keybay/kernel/spec'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FRAME, getEnvelope, registeredFrame } from './backup-frame.js'
import { type Answer, type Kit, settings, sha256, startWorld, type World } from './client.js'
import { newRecordSigner, report } from './wallet-records.js'

const r1 = newRecordSigner()
let world: World
let strict: World
beforeAll(async () => {
  world = await startWorld({
    environments: {
      local: { ...settings, frameOrigins: [FRAME], embeddedWallets: { recordKeys: [r1.jwk] } },
      separate: { ...settings, merge: false },
      unrecoverable: { ...settings, custody: { enabled: true, emailRecovery: false } },
    },
  })
  strict = await startWorld({ limitFactor: 1 })
})
afterAll(() => Promise.all([world.stop(), strict.stop()]))

async function repeat(times: number, once: () => Promise<Answer>): Promise<Answer> {
  for (let done = 1; done < times; done++) await once()
  return once()
}

async function challenged(email: string) {
  const kit = await world.signedIn(email)
  await kit.enrolTotp()
  const body = { action: 'user.update', requestHash: sha256('x') }
  const { challengeId } = (await kit.call('/mfa/challenges', { body })).body
  return () => kit.call(`/mfa/challenges/${challengeId}`, { body: { recoveryCode: 'wrong-wrong' } })
}

async function verification(path: string, body: object) {
  const kit = world.kit()
  const { verificationId } = (await kit.call(path, { body })).body
  return () => kit.call(`${path}/verify`, { body: { verificationId, code: 'x' } })
}

function rename(kit: Kit, body: object) {
  return kit.call('/users/me', { method: 'PATCH', body })
}

/** Stores the same backup twice from a wallet frame; returns the second response. */
async function backedUpTwice(email: string, size?: number): Promise<Answer> {
  const kit = await world.signedIn(email)
  const walletId = randomUUID()
  const envelope = getEnvelope(walletId, 0, size)
  const frame = await registeredFrame(world, kit)
  await frame.keep(walletId, 0, envelope)
  return frame.keep(walletId, 0, envelope)
}

const RAISED: { readonly [Code in ServerErrorCode]?: () => Promise<Answer> } = {
  email_cannot_be_null: () => world.kit().call('/auth/email', { body: { email: null } }),
  invalid_email: () => world.kit().call('/auth/email', { body: { email: 'ann' } }),
  invalid_phone: () => world.kit().call('/auth/phone', { body: { phoneNumber: '0170' } }),
  invalid_session_public_key: () => {
    const header = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'dpop+jwt', jwk: { kty: 'RSA' } }))
    const dpop = `${header.toString('base64url')}.e30.${'A'.repeat(86)}`
    return world.kit().call('/auth/nonce', { method: 'POST', proof: false, headers: { dpop } })
  },
  email_already_exists: async () => {
    await world.signedIn('taken@example.com', 'separate')
    return (await world.signedIn('wants@example.com', 'separate')).link('taken@example.com', 'separate')
  },
  username_already_exists: async () => {
    await rename(await world.signedIn('name-a@example.com'), { username: 'taken' })
    return rename(await world.signedIn('name-b@example.com'), { username: 'Taken' })
  },
  metadata_size_exceeded: async () =>
    rename(await world.signedIn('large@example.com'), { metadata: { large: 'x'.repeat(5000) } }),
  wrong_email_verification_token: async () => (await verification('/auth/email', { email: 'wrong@example.com' }))(),
  wrong_sms_verification_token: async () => (await verification('/auth/phone', { phoneNumber: '+491700000101' }))(),
  too_many_email_verification_attempts: async () =>
    repeat(6, await verification('/auth/email', { email: 'six@example.com' })),
  too_many_sms_verification_attempts: async () =>
    repeat(6, await verification('/auth/phone', { phoneNumber: '+491700000102' })),
  too_many_verification_attempts: async () => repeat(6, await challenged('mfa-six@example.com')),
  email_recovery_disabled: async () =>
    (await world.signedIn('recover@example.com', 'unrecoverable')).call('/custody/recovery', {
      body: { targetPublicKey: `04${'a'.repeat(128)}` },
      environmentId: 'unrecoverable',
    }),
  blocked_user_cannot_transfer_wallet: async () => {
    const kit = await world.signedIn('blocked@example.com')
    const { id } = (await kit.call('/users/me')).body
    await kit.call(`/users/${id}/block`, { method: 'POST', token: world.api.operatorToken, proof: false })
    return kit.call('/auth/email/verify', { body: await kit.sendCode('/auth', 'blocked@example.com'), token: '' })
  },
  embedded_wallet_address_already_linked: async () => {
    const { id } = (await (await world.signedIn('wallet-twice@example.com')).call('/users/me')).body
    await report(world, r1.sign({ sub: id, address: 'one-address' }))
    return report(world, r1.sign({ sub: id, address: 'one-address' }))
  },
  key_share_already_backed_up: () => backedUpTwice('twice@example.com'),
  invalid_key_shares_length: () => backedUpTwice('too-large@example.com', 17_000),
  mfa_invalid_code: async () => (await challenged('mfa-one@example.com'))(),
  mfa_device_not_found: async () => {
    const kit = await world.signedIn('no-device@example.com')
    return kit.call('/mfa/devices/00000000-0000-4000-8000-000000000000', { method: 'DELETE' })
  },
  merge_accounts_confirmation: async () => {
    await world.signedIn('merge-a@example.com')
    return (await world.signedIn('merge-b@example.com')).link('merge-a@example.com')
  },
  merge_accounts_invalid: async () => {
    const kit = await world.signedIn('merge-c@example.com')
    return kit.call('/users/me/merge', { body: { mergeId: '00000000-0000-4000-8000-000000000000' } })
  },
  too_many_requests: () => repeat(6, () => strict.kit().call('/auth/email', { body: { email: 'flood@example.com' } })),
  too_many_api_tokens: () =>
    repeat(11, () =>
      world.kit().call('/api-tokens', { body: { name: 'more' }, token: world.api.operatorToken, proof: false }),
    ),
}

/** Parses a table of ERRORS.md: the code in the first column, the text of the last column. */
function getRows(heading: string): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(new URL('../ERRORS.md', import.meta.url), 'utf8')
  const section = text.split(/^## /m).find(part => part.startsWith(heading)) ?? ''
  const rows = [...section.matchAll(/^\| `(\w+)` +\|(.+)\|$/gm)].map(([, code = '', rest = '']) => {
    const cells = rest.split('|').map(cell => cell.trim())
    return [code, cells] as const
  })
  return new Map(rows)
}

describe('[S8.1] ERRORS.md', () => {
  it('ERRORS.md lists each code of the specification once, as raised or with the reason why not', () => {
    const raised = [...getRows('Raised').keys()]
    const others = [...getRows('Not raised').entries()]
    expect([...raised, ...others.map(([code]) => code)].sort()).toEqual([...SERVER_ERROR_CODES].sort())
    expect(raised.sort()).toEqual(Object.keys(RAISED).sort())
    for (const [, [why = '']] of others) expect(why.length).toBeGreaterThan(20)
  })
  it('ERRORS.md names only documented routes', async () => {
    const { body } = await world.kit().call('/api/v0/openapi.json')
    const documented = (code: string) =>
      Object.entries<Record<string, object>>(body.paths).flatMap(([path, methods]) =>
        Object.entries(methods)
          .filter(([, operation]) => JSON.stringify(operation).includes(`"${code}"`))
          .map(([method]) => `${method.toUpperCase()} ${path.replace('/sdk/{environmentId}', '')}`),
      )
    for (const [code, [route = '']] of getRows('Raised')) {
      const named = /`([A-Z]+ [^`]+)`/.exec(route)?.[1]
      expect(documented(code), code).toContain(named)
    }
  })

  const cases = SERVER_ERROR_CODES.flatMap(code => {
    const raise = RAISED[code]
    return raise ? [{ code, raise }] : []
  })
  it.each(cases)('$code is raised by its route', async ({ code, raise }) => {
    const { status, body } = await raise()
    expect(body).toMatchObject({ code, message: SERVER_ERRORS[code].message })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  })
})
