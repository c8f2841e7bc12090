/** Kraken Connect. */
import type { StandIn } from '../oauth/types.js'

export const kraken: StandIn = {
  id: 'kraken',
  name: 'Kraken',
  authorizePath: '/oauth/authorize',
  tokenPath: '/oauth/token',
  scopes: ['account.info:basic'],
  pkce: 'none',
  clientAuthentication: 'basic',
  tokens: ({ scope, ...issued }) => ({ ...issued, token_type: 'bearer' }),
  resources: [
    {
      path: '/oauth/userinfo',
      scopes: ['account.info:basic'],
      answer: ({ number, email }) => ({
        result: { email, iiban: `AA${String(number).padStart(2, '0')} N84G WOCU` },
        errors: [],
      }),
    },
  ],
}
