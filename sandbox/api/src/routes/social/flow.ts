/** Begins a flow: returns the URL that the user is sent to. */
import { noOauthUrl, tooManyRequests } from '@keybay/kernel/spec'
import * as v from 'valibot'
import type { Call } from '../../http/call.js'
import { ApiError, invalidRequest, originNotAllowed } from '../../http/errors.js'
import { time } from '../../http/fields.js'
import { type Route, routesOf } from '../../http/route.js'
import { beginFlow } from '../../social/flow.js'
import { addressOf } from '../../social/prove.js'
import type { ActiveProvider } from '../../social/registry.js'
import { counted } from '../sign-in/common.js'
import { activeProvider, hash, providerErrors, providerParams } from './common.js'

const route = routesOf('social')

const MAX_SCOPES = 20

const pageUrl = v.pipe(
  v.string(),
  v.maxLength(2048),
  v.url(),
  v.check(text => {
    if (!URL.canParse(text)) return false
    const { protocol, search, hash, username, password } = new URL(text)
    return /^https?:$/.test(protocol) && [search, hash, username, password].every(part => part === '')
  }, 'A page, without query and fragment'),
)

/** Requires a page of the environment; any other redirect URL would make this an open redirect. */
function assertOurs({ environment }: Call, redirectUrl: string): void {
  if (!environment.pageOrigins.has(new URL(redirectUrl).origin)) throw new ApiError(originNotAllowed)
}

function getShop({ provider }: ActiveProvider, shop: string | undefined): string | undefined {
  if (provider.protocol !== 'oauth2' || !provider.shops) return undefined
  const host = shop?.toLowerCase() ?? ''
  // The host becomes part of the URL that the user is sent to.
  if (!provider.shops.host.test(host))
    throw new ApiError(invalidRequest, { issues: [{ field: 'body.shop', expected: 'acme.myshopify.com' }] })
  return host
}

export const flow: Route = route('POST /social/{provider}/flow', {
  summary: 'Begins a sign-in, or a link, with a social provider: where to send the user.',
  access: 'key',
  params: providerParams,
  body: v.strictObject({
    stateHash: hash,
    nonceHash: v.optional(hash),
    codeChallenge: hash,
    redirectUrl: pageUrl,
    mode: v.optional(v.picklist(['popup', 'redirect'])),
    scopes: v.optional(v.pipe(v.array(v.pipe(v.string(), v.regex(/^[\w:./-]{1,128}$/))), v.maxLength(MAX_SCOPES))),
    shop: v.optional(v.pipe(v.string(), v.maxLength(255))),
  }),
  status: 201,
  answer: v.object({ flowId: v.string(), authorizationUrl: v.string(), expiresAt: time }),
  errors: [...providerErrors, originNotAllowed, noOauthUrl, tooManyRequests],
  async run(call) {
    const { body, environment, key, params, services } = call
    const active = activeProvider(call, params.provider)
    const { id, ...provider } = active.provider
    assertOurs(call, body.redirectUrl)
    await counted(call)
    call.note({ provider: id, ...(body.mode && { mode: body.mode }) })
    const { stateHash, nonceHash, codeChallenge, redirectUrl } = body
    const usual = provider.protocol === 'oauth2' ? [...provider.scopes] : []
    const scopes = body.scopes?.length ? body.scopes : usual
    const shop = getShop(active, body.shop)
    const callback = `${services.publicUrl}/sdk/${environment.id}/social/${id}/callback`
    const redirectUri = provider.protocol === 'oauth2' && provider.formPost ? callback : redirectUrl
    const now = services.clock.now()
    const { url, channel } = await addressOf(active, {
      redirectUri,
      stateHash,
      nonceHash,
      codeChallenge,
      scopes,
      shop,
      now,
    })
    const begun = await beginFlow(call, key.thumbprint, stateHash, {
      provider: id,
      nonceHash,
      codeChallenge,
      redirectUrl,
      redirectUri,
      scopes,
      shop,
      ...(channel !== undefined && {
        channel: services.hashes.seal(Buffer.from(channel), `social channel ${stateHash}`),
      }),
    })
    return { flowId: begun.id, authorizationUrl: url, expiresAt: begun.expiresAt }
  },
})
