/** Runs a real OpenID provider for Google and GitLab, the two of the 22 that follow the standard. */
import { isDatabaseAway, RETRY_AFTER_S } from '@keybay/sandbox-service/database'
import Provider, { type Configuration, interactionPolicy } from 'oidc-provider'
import { isRegistered, sandboxClient } from '../clients.js'
import type { Services } from '../services.js'
import { displayName, getUser, type User } from '../users.js'
import { createAdapter } from './adapter.js'

export interface OpenIdProvider {
  readonly id: string
  readonly name: string
  readonly routes: NonNullable<Configuration['routes']>
  readonly scopes: readonly string[]
  /** Claims of the user in addition to `sub`, by scope. */
  readonly claims: Readonly<Record<string, readonly string[]>>
  getClaims(user: User): Record<string, unknown>
  /** True if the ID token has the claims too, not only user info. */
  readonly claimsInIdToken: boolean
}

function profile(user: User) {
  return { name: displayName(user), given_name: user.givenName, family_name: user.familyName, picture: user.picture }
}

function email({ email, emailVerified }: User) {
  return { email, email_verified: emailVerified }
}

export const OPENID_PROVIDERS: readonly OpenIdProvider[] = [
  {
    id: 'google',
    name: 'Google',
    routes: {
      authorization: '/o/oauth2/v2/auth',
      token: '/token',
      userinfo: '/v1/userinfo',
      jwks: '/oauth2/v3/certs',
      revocation: '/revoke',
    },
    scopes: [
      'openid',
      'email',
      'profile',
      'offline_access',
      'https://www.googleapis.com/auth/drive.appdata',
      'https://www.googleapis.com/auth/drive.file',
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name', 'picture'],
    },
    getClaims: user => ({ ...profile(user), ...email(user) }),
    claimsInIdToken: true,
  },
  {
    id: 'gitlab',
    name: 'GitLab',
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      userinfo: '/oauth/userinfo',
      jwks: '/oauth/discovery/keys',
      revocation: '/oauth/revoke',
    },
    scopes: ['openid', 'email', 'profile', 'read_user'],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'nickname', 'preferred_username', 'profile', 'picture'],
    },
    getClaims: user => ({
      ...profile(user),
      ...email(user),
      nickname: user.username,
      preferred_username: user.username,
      profile: `https://gitlab.example/${user.username}`,
    }),
    claimsInIdToken: false,
  },
]

/** Shows the chooser each time, as with `prompt=select_account`, so that a test can switch users. */
function alwaysAsk(): NonNullable<NonNullable<Configuration['interactions']>['policy']> {
  const { base, Check, Prompt } = interactionPolicy
  const policy = base()
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0)
  policy
    .get('login')
    ?.checks.add(
      new Check('choose', 'Choose an account', ctx =>
        ctx.oidc.result?.login === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
      ),
    )
  policy.remove('consent')
  return policy
}

export function createOpenIdProvider(services: Services, openId: OpenIdProvider): Provider {
  const client = sandboxClient(openId.id)
  const provider = new Provider(`${services.publicUrl}/${openId.id}`, {
    adapter: createAdapter(services, openId.id),
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        client_name: 'Keybay',
        // Placeholder; the check below decides what is allowed.
        redirect_uris: ['https://app.example/return'],
        response_types: ['code'],
        grant_types: openId.scopes.includes('offline_access')
          ? ['authorization_code', 'refresh_token']
          : ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [services.keys.signing] },
    cookies: { keys: [services.keys.derive(`${openId.id} cookies`).toString('base64url')] },
    routes: openId.routes,
    scopes: [...openId.scopes],
    claims: Object.fromEntries(Object.entries(openId.claims).map(([scope, names]) => [scope, [...names]])),
    conformIdTokenClaims: !openId.claimsInIdToken,
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true },
      rpInitiatedLogout: { enabled: false },
    },
    pkce: { required: () => false },
    interactions: { policy: alwaysAsk(), url: (_, { uid }) => `/${openId.id}/interaction/${uid}` },
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 600,
      IdToken: 3600,
      Interaction: 1800,
      Session: 3600,
      Grant: 3600,
      RefreshToken: 30 * 86_400,
    },
    findAccount: (_, sub) => {
      const user = getUser(sub.split('-')[0])
      return user && { accountId: sub, claims: () => ({ sub, ...openId.getClaims(user) }) }
    },
    // Choosing an account is the consent.
    loadExistingGrant: async ctx => {
      const { client, session, params } = ctx.oidc
      const grant = new ctx.oidc.provider.Grant({ clientId: client?.clientId, accountId: session?.accountId })
      grant.addOIDCScope(String(params?.scope ?? ''))
      await grant.save()
      return grant
    },
    renderError: (ctx, out) => {
      ctx.type = 'json'
      ctx.body = JSON.stringify(out)
    },
  })
  provider.Client.prototype.redirectUriAllowed = (uri: string) => isRegistered(openId.id, uri, services.redirectUris)
  provider.on('server_error', (ctx, error) => {
    ctx.state.isDatabaseAway = isDatabaseAway(error)
    services.log({
      level: 'error',
      message: 'unexpected error',
      provider: openId.id,
      error: error.stack ?? error.message,
    })
  })
  // oidc-provider answers every unexpected error with 500.
  provider.use(async (ctx, next) => {
    await next()
    if (!ctx.state.isDatabaseAway) return
    ctx.status = 503
    ctx.set('retry-after', String(RETRY_AFTER_S))
    ctx.body = { error: 'temporarily_unavailable' }
  })
  return provider
}

/** Returns the id of a user here, which begins with the user's key. */
export function getSubject(user: User): string {
  return `${user.key}-${user.number}`
}
