/**
 * Signs in at each of the 22 providers with the responses of its public documentation (`sandbox/identity/test/documented`, with page and
 * day): the API's own flow, and a server on this machine that gives these responses and documented errors.
 */
import { DOCUMENTED, type Documented, type DocumentedError } from '@keybay/sandbox-identity/testing/documented'
import { PROVIDERS } from '@keybay/social/server'
import { afterAll, expect, it } from 'vitest'
import { type Answer, APP, type Kit, sha256, startWorld } from './client.js'
import { type Current, startDocumentedProviders } from './documented-providers.js'
import { getReturned, signFarcaster } from './documented-returns.js'
import { type Attempt, actions, socialSettings } from './social-world.js'

const providers = await startDocumentedProviders()
const { publicUrl, internalUrl } = providers
const world = await startWorld({
  environments: { local: socialSettings },
  social: { identity: { publicUrl, internalUrl } },
})
const flows = actions({ url: publicUrl, internalUrl }, [])
const hostToken = await world.apiToken()
afterAll(async () => {
  await world.stop()
  await providers.stop()
})

function pageOf(id: string): string {
  return `${APP}/auth/social/${id}`
}

/** Posts the provider's form to the API, as the browser does, and returns what the app's page then gets. */
async function postForm(fields: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const { headers } = await fetch(`http://127.0.0.1:${world.api.port}/api/v0/sdk/local/social/apple/callback`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
  })
  return Object.fromEntries(new URLSearchParams(new URL(headers.get('location') ?? '').hash.slice(1)))
}

function changed({ id, profile }: Documented, attempt: Attempt, now: number): Current['more'] {
  if (id !== 'farcaster') return undefined
  return { '/v1/channel/status': signFarcaster(String(profile.id), attempt, pageOf(id), now) }
}

async function begin(kit: Kit, documented: Documented, refusing?: DocumentedError) {
  const attempt = await flows.begin(kit, documented.id)
  const now = world.api.clock.now()
  const more = changed(documented, attempt, now)
  providers.expect(documented.id, { nonce: sha256(attempt.secrets.nonce), now, refusing, ...(more && { more }) })
  const params = getReturned(documented, attempt, pageOf(documented.id), now)
  return { attempt, params }
}

async function signIn(documented: Documented, refusing?: DocumentedError): Promise<Answer> {
  const kit = world.kit()
  const { attempt, params } = await begin(kit, documented, refusing)
  const { formUser } = documented
  const received = formUser === undefined ? params : await postForm({ ...params, user: JSON.stringify(formUser) })
  return flows.end(kit, attempt, received)
}

it('has documented responses of all 22 providers, with page and day', () => {
  expect(DOCUMENTED.map(({ id }) => id)).toEqual(PROVIDERS.map(({ id }) => id).sort())
  for (const { id, pages, read } of DOCUMENTED) {
    expect(pages.every(page => URL.canParse(page)) && pages.length, id).toBeTruthy()
    expect(read, id).toMatch(/^\d{4}-\d\d-\d\d$/)
  }
})

it.each(DOCUMENTED)('$id: reads the account and the scopes from its documented responses', async documented => {
  const { id, profile, scope } = documented
  const { status, body } = await signIn(documented)
  expect({ status, code: body.code, details: body.details }).toEqual({ status: 200 })
  expect(body.user.credentials).toMatchObject([{ provider: id, accountId: profile.id }])
  expect(body.user.credentials[0].profile).toEqual(profile)
  const token = await world.kit().call(`/social/${id}/token?userId=${body.user.id}`, { token: hostToken })
  expect(token.body.scope).toBe(scope)
})

const declining = DOCUMENTED.flatMap(documented =>
  documented.declined ? [{ ...documented, declined: documented.declined }] : [],
)
it.each(declining)('$id: reports its documented refusal by the user', async documented => {
  const kit = world.kit()
  const { attempt } = await begin(kit, documented)
  const { id, declined } = documented
  const error = declined.error ?? 'access_denied'
  expect((await flows.end(kit, attempt, { ...declined, state: attempt.stateHash })).body).toMatchObject({
    code: 'oauth_error',
    message: `Failed to connect ${id} social account: ${error}`,
    details: { error },
  })
})

const refusals = DOCUMENTED.flatMap(documented => documented.errors.map(refusing => ({ documented, refusing })))
it.each(refusals)(
  '$documented.id: reports its documented error at $refusing.path',
  async ({ documented, refusing }) => {
    const { code = 'oauth_error', error } = refusing
    expect((await signIn(documented, refusing)).body).toMatchObject({ code, ...(error && { details: { error } }) })
  },
)
