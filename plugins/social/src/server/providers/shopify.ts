import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * Every shop has its own host, the response is signed, and the user comes with the token.
 * @see https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/online-access-tokens user profile
 */
export const shopify: OAuthProvider = defineProvider({
  id: 'shopify',
  docs: 'https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant',
  protocol: 'oauth2',
  endpoints: {
    authorization: 'https://{shop}/admin/oauth/authorize',
    token: 'https://{shop}/admin/oauth/access_token',
  },
  scopes: ['read_products'],
  scopeSeparator: ',',
  // Requests a token of the user, not of the shop.
  parameters: { 'grant_options[]': 'per-user' },
  pkce: false,
  clientAuthentication: 'post',
  shops: { host: /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/ },
  profile: {
    id: 'token.associated_user.id',
    name: ['{token.associated_user.first_name} {token.associated_user.last_name}', 'token.associated_user.first_name'],
    email: 'token.associated_user.email',
    emailVerified: 'token.associated_user.email_verified',
  },
})
