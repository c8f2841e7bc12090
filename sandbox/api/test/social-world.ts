/** Starts the API with the real service identity, and simulates users of its providers in plain Node. */
import { randomBytes } from 'node:crypto'
import { type Identity, startIdentity } from '@keybay/sandbox-identity'
import { type Returned, visit } from '@keybay/sandbox-identity/testing/visit'
import { defineProvider, PROVIDERS } from '@keybay/social/server'
import { vi } from 'vitest'
import type { ApiOptions, EnvironmentSettings } from '../src/index.js'
import { FRAME } from './backup-frame.js'
import { type Answer, APP, type CallOptions, type Kit, settings, sha256, startWorld, type World } from './client.js'

// Allow real services and several visits in one test enough time on a slow machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

export const IDS: readonly string[] = PROVIDERS.map(({ id }) => id)
export const socialSettings: EnvironmentSettings = { ...settings, frameOrigins: [FRAME], signIn: { social: [...IDS] } }

/** Returns an OpenID Connect provider of an operator, found by its issuer. */
export function acmeProvider(issuer: string) {
  return defineProvider({
    id: 'acme',
    docs: 'https://acme.example/docs',
    protocol: 'oauth2',
    issuer,
    scopes: ['openid', 'email'],
    pkce: true,
    clientAuthentication: 'post',
    profile: { id: 'idToken.sub', email: 'idToken.email', emailVerified: 'idToken.email_verified' },
  })
}

/** State that a kit keeps while the user is at the provider. */
export interface Attempt {
  readonly provider: string
  readonly flowId: string
  readonly authorizationUrl: string
  readonly stateHash: string
  readonly secrets: { readonly state: string; readonly nonce: string; readonly codeVerifier: string }
}

export interface SocialWorld extends World {
  readonly identity: Identity
  /** Begins a flow; throws if the API refuses. */
  begin(kit: Kit, provider: string, body?: object, options?: CallOptions): Promise<Attempt>
  /** Visits the provider as the user, and comes back. */
  go(attempt: Attempt, user?: string): Promise<Returned>
  end(kit: Kit, attempt: Attempt, params: object, body?: object, options?: CallOptions): Promise<Answer>
  link(kit: Kit, attempt: Attempt, params: object, options?: CallOptions): Promise<Answer>
  signIn(kit: Kit, provider: string, user?: string, options?: CallOptions): Promise<Answer>
  linkAs(kit: Kit, provider: string, user?: string, options?: CallOptions): Promise<Answer>
}

function random() {
  return randomBytes(32).toString('base64url')
}

export function newSecrets() {
  return { state: random(), nonce: random(), codeVerifier: random() }
}

export function flowBody(provider: string, secrets: ReturnType<typeof newSecrets>): Record<string, unknown> {
  return {
    stateHash: sha256(secrets.state),
    nonceHash: sha256(secrets.nonce),
    codeChallenge: sha256(secrets.codeVerifier),
    redirectUrl: `${APP}/auth/social/${provider}`,
    mode: 'popup',
    ...(provider === 'shopify' && { shop: 'acme.myshopify.com' }),
  }
}

export function actions(identity: Pick<Identity, 'url' | 'internalUrl'>, ports: readonly number[]) {
  const world = {
    async begin(kit: Kit, provider: string, body: object = {}, options: CallOptions = {}): Promise<Attempt> {
      const secrets = newSecrets()
      const sent = { ...flowBody(provider, secrets), ...body }
      const answer = await kit.call(`/social/${provider}/flow`, { ...options, body: sent })
      if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
      return { provider, secrets, stateHash: sha256(secrets.state), ...answer.body }
    },
    go: ({ authorizationUrl }: Attempt, user = 'ann'): Promise<Returned> =>
      visit(authorizationUrl, {
        user,
        until: url => url.pathname.startsWith('/auth/social/'),
        // Maps host names that browsers resolve to addresses that Node can reach.
        resolve: url =>
          url
            .replace(identity.url, identity.internalUrl)
            .replace(/^http:\/\/api\.app\.localhost:(\d+)/, (whole, port: string) =>
              ports.includes(Number(port)) ? `http://127.0.0.1:${port}` : whole,
            ),
      }),
    end: (kit: Kit, attempt: Attempt, params: object, body: object = {}, options: CallOptions = {}) =>
      kit.call(`/social/${attempt.provider}/exchange`, {
        ...options,
        body: { flowId: attempt.flowId, ...attempt.secrets, params, ...body },
      }),
    link: (kit: Kit, attempt: Attempt, params: object, options: CallOptions = {}) =>
      kit.call(`/social/${attempt.provider}/link`, {
        ...options,
        body: { flowId: attempt.flowId, ...attempt.secrets, params },
      }),
    async signIn(kit: Kit, provider: string, user = 'ann', options: CallOptions = {}) {
      const attempt = await world.begin(kit, provider, {}, options)
      const { params } = await world.go(attempt, user)
      const answer = await world.end(kit, attempt, params, {}, options)
      return answer.status === 200 ? kit.keep(answer) : answer
    },
    async linkAs(kit: Kit, provider: string, user = 'ann', options: CallOptions = {}) {
      const attempt = await world.begin(kit, provider, {}, options)
      return world.link(kit, attempt, (await world.go(attempt, user)).params, options)
    },
  }
  return world
}

export async function startSocialWorld(options: Partial<ApiOptions> = {}): Promise<SocialWorld> {
  const identity = await startIdentity()
  const world = await startWorld({
    environments: {
      local: socialSettings,
      separate: { ...socialSettings, merge: false },
      closed: { ...socialSettings, socialLinking: false },
      few: { ...settings, signIn: { social: ['github'] } },
    },
    social: { identity: { publicUrl: identity.url, internalUrl: identity.internalUrl } },
    ...options,
  })
  return {
    ...world,
    ...actions(identity, [world.api.port]),
    identity,
    async stop() {
      await world.stop()
      await identity.stop()
    },
  }
}
