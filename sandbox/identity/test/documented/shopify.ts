import type { Documented } from './types.js'

/** The test adds `hmac`, `shop`, `host` and `timestamp` to the return, signed as the documentation says. */
export const shopify: Documented = {
  id: 'shopify',
  pages: [
    'https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant',
    'https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/online-access-tokens',
  ],
  read: '2026-11-28',
  missing:
    'No page says how a merchant returns who declined. The token endpoint’s error is the one that published clients of Shopify quote.',
  responses: {
    '/admin/oauth/access_token': {
      access_token: 'f85632530bf277ec9ac6f649fc327f17',
      scope: 'write_orders,read_customers',
      expires_in: 86_399,
      associated_user_scope: 'write_orders',
      associated_user: {
        id: 902_541_635,
        first_name: 'John',
        last_name: 'Smith',
        email: 'john@example.com',
        email_verified: true,
        account_owner: true,
        locale: 'en',
        collaborator: false,
      },
    },
  },
  profile: { id: '902541635', name: 'John Smith', email: 'john@example.com', emailVerified: true },
  scope: 'write_orders,read_customers',
  errors: [
    {
      path: '/admin/oauth/access_token',
      status: 400,
      body: { error: 'invalid_request', error_description: 'The authorization code was not found or was already used' },
      error: 'invalid_request',
    },
  ],
}
