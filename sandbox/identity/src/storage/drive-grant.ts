/**
 * Gives an app access to app data at Google's own authorization endpoint, with the client of its sign-in, as OAuth 2.0
 * for client-side apps, token in the fragment.
 * https://developers.google.com/identity/protocols/oauth2/javascript-implicit-flow
 */
import type { Hono } from 'hono'
import { isRegistered, sandboxClient } from '../clients.js'
import { mountChooser } from '../pages/chooser.js'
import { errorPage } from '../pages/layout.js'
import type { Services } from '../services.js'

const DRIVE_SCOPE = 'https://www.googleapis.com/auth/drive.appdata'
const TOKEN_SECONDS = 3600
const KIND = 'drive/token'
/** Return page of the wallet frame, on any port. */
const RETURN_PAGES = ['http://wallet.localhost/waas-v1/{environment}/granted']

export async function readToken(
  { records }: Services,
  token: string,
): Promise<{ readonly owner: string; readonly clientId: string } | undefined> {
  const known = await records.get(KIND, token)
  if (!known) return undefined
  return { owner: String(known.owner), clientId: String(known.clientId) }
}

/** Mounts the grant before oidc-provider, which issues no token without a code; Google does. */
export function mountDriveGrant(app: Hono, services: Services): void {
  const { records } = services
  const client = sandboxClient('google')
  const scope = 'See, create, and delete its own configuration data in your Google Drive.'
  const provider = { id: 'google', name: 'Google Drive', scope }
  const show = mountChooser(app, services, provider, async (user, { redirectUri, state, clientId }) => {
    const fragment = new URLSearchParams(
      user
        ? {
            access_token: await records.put(KIND, { owner: user.key, clientId }, TOKEN_SECONDS),
            token_type: 'Bearer',
            expires_in: String(TOKEN_SECONDS),
            scope: DRIVE_SCOPE,
          }
        : { error: 'access_denied' },
    )
    fragment.set('state', String(state))
    return `${redirectUri}#${fragment}`
  })
  app.get('/google/o/oauth2/v2/auth', async (c, next) => {
    const { client_id: clientId, redirect_uri: redirectUri = '', response_type, scope, state = '' } = c.req.query()
    if (response_type !== 'token') return next()
    const refuse = (error: string, what: string) => errorPage('Google', error, what)
    if (clientId !== client.id) return refuse('invalid_client', 'The OAuth client was not found.')
    if (!isRegistered('google', redirectUri, services.redirectUris ?? RETURN_PAGES))
      return refuse('redirect_uri_mismatch', 'The app’s return page is not registered.')
    if (scope !== DRIVE_SCOPE) return refuse('invalid_scope', 'The app asks for more than its own data.')
    return show({ clientId, redirectUri, state }, c.req.query('login_hint'))
  })
}
