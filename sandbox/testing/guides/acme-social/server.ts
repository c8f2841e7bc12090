/** The product API's half: data, which the API reads. It has no code of the page. */
import { defineProvider, type OAuthProvider } from '@keybay/social/server'

export function acmeOnServer(issuer = 'https://acme.example'): OAuthProvider {
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

/** Read by the API: `API_SOCIAL_MODULE=/srv/acme-social/server.js`. */
export const providers: readonly OAuthProvider[] = [acmeOnServer()]
