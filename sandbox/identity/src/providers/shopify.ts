/** Shopify: each shop at its own host, which is the first part of the path here; the return has an HMAC. */
import { createHmac } from 'node:crypto'
import { sandboxClient } from '../clients.js'
import type { StandIn } from '../oauth/types.js'

export const shopify: StandIn = {
  id: 'shopify',
  name: 'Shopify',
  authorizePath: '/admin/oauth/authorize',
  tokenPath: '/admin/oauth/access_token',
  shops: true,
  scopes: ['read_products', 'read_customers'],
  scopeSeparator: ',',
  demands: { 'grant_options[]': ['per-user'] },
  pkce: 'none',
  clientAuthentication: 'post',
  returns: ({ services, grant: { shop = '' }, fields }) => {
    const signed: Record<string, string> = {
      ...fields,
      shop,
      host: Buffer.from(`${shop}/admin`).toString('base64url'),
      timestamp: String(services.clock.seconds),
    }
    const text = Object.keys(signed)
      .sort()
      .map(name => `${name}=${signed[name]}`)
      .join('&')
    return { ...signed, hmac: createHmac('sha256', sandboxClient('shopify').secret).update(text).digest('hex') }
  },
  tokens: ({ access_token, expires_in }, { scopes, user }) => ({
    access_token,
    scope: scopes.join(','),
    expires_in,
    associated_user_scope: scopes.join(','),
    associated_user: {
      id: user.number,
      first_name: user.givenName ?? user.username,
      last_name: user.familyName ?? '',
      email: user.email,
      email_verified: user.emailVerified,
      account_owner: true,
      locale: 'en',
      collaborator: false,
    },
  }),
  tokenError: (error, description) => ({
    status: 400,
    body: { error: error === 'invalid_grant' ? 'invalid_request' : error, error_description: description },
  }),
  resources: [],
}
