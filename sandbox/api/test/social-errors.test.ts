/** Tests ERRORS.md: each social code of the API is raised by a route. */
import { SOCIAL_ERROR_CODES, SOCIAL_ERRORS, type SocialErrorCode, withValues } from '@keybay/kernel/spec'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { routesThatRaise, SOCIAL_CODES } from '../src/app/error-list.js'
import type { Answer } from './client.js'
import { flowBody, newSecrets, startSocialWorld } from './social-world.js'

const world = await startSocialWorld()
afterAll(world.stop)
afterEach(() => world.identity.faults.clear())

function begin(provider: string, environmentId = 'local') {
  return world.kit().call(`/social/${provider}/flow`, { body: flowBody(provider, newSecrets()), environmentId })
}
/** Makes an exchange with a fault in the provider or in the returned parameters. */
async function exchange(fault: object, change: (params: Record<string, string>) => object = params => params) {
  const kit = world.kit()
  const attempt = await world.begin(kit, 'github')
  const { params } = await world.go(attempt)
  world.identity.faults.set('github', fault)
  return world.end(kit, attempt, change(params))
}

async function linkTwice(environmentId: string, user: string) {
  const other = { environmentId }
  await world.signIn(world.kit(), 'github', user, other)
  const kit = world.kit()
  await world.signIn(kit, 'discord', user, other)
  return world.linkAs(kit, 'github', user, other)
}

const RAISED: { readonly [Code in SocialErrorCode]?: () => Promise<Answer> } = {
  account_already_linked: async () => {
    const kit = world.kit()
    await world.signIn(kit, 'github', 'ann')
    return world.linkAs(kit, 'github', 'ann')
  },
  account_already_linked_to_different_profile: () => linkTwice('separate', 'ben'),
  social_linking_not_enabled: () => linkTwice('closed', 'ben'),
  invalid_provider: () => begin('myspace'),
  provider_not_enabled: () => begin('google', 'few'),
  no_oauth_url: () => {
    world.identity.faults.set('farcaster', { down: true })
    return begin('farcaster')
  },
  no_account_linked: async () => {
    const kit = world.kit()
    await world.signIn(kit, 'github', 'cleo')
    return kit.call('/social/google', { method: 'DELETE' })
  },
  unlink_error: async () => {
    const kit = world.kit()
    await world.signIn(kit, 'github', 'dan')
    return kit.call('/social/github', { method: 'DELETE' })
  },
  no_auth_code: () => exchange({}, ({ code: _, ...rest }) => rest),
  oauth_error: () => exchange({}, params => ({ ...params, error: 'access_denied' })),
  verification_error: async () => {
    world.identity.faults.set('line', { idToken: 'signature' })
    const kit = world.kit()
    const attempt = await world.begin(kit, 'line')
    return world.end(kit, attempt, (await world.go(attempt)).params)
  },
  signin_error: () => exchange({ down: true }),
  general_error: () => exchange({ rubbish: true }),
  session_timeout: async () => {
    const kit = world.kit()
    const attempt = await world.begin(kit, 'github')
    return world.end(kit, { ...attempt, flowId: '00000000-0000-4000-8000-000000000000' }, {})
  },
}

describe('[S8.2] ERRORS.md', () => {
  it('each social code that a route declares is listed as raised by the API, and the others by the kit', () => {
    const declared = SOCIAL_ERROR_CODES.filter(code => routesThatRaise(code).length > 0)
    expect(SOCIAL_ERROR_CODES.filter(code => !('by' in SOCIAL_CODES[code]))).toEqual(declared)
    expect(Object.keys(RAISED).toSorted()).toEqual(declared.toSorted())
  })

  const cases = SOCIAL_ERROR_CODES.flatMap(code => {
    const raise = RAISED[code]
    return raise ? [{ code, raise }] : []
  })
  it.each(cases)('[S8.2] the route raises $code', async ({ code, raise }) => {
    const { status, body } = await raise()
    const { message } = withValues(SOCIAL_ERRORS[code], { provider: 'github', error: 'access_denied' })
    expect(body).toMatchObject({ code, message })
    expect(status).toBeGreaterThanOrEqual(400)
  })
})
