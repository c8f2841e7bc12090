/** Twitch: OpenID Connect and Helix, which requires the client’s id as well. */

import type { StandIn } from '../oauth/types.js'
import { fullName } from '../people.js'

export const twitch: StandIn = {
  id: 'twitch',
  name: 'Twitch',
  authorizePath: '/oauth2/authorize',
  tokenPath: '/oauth2/token',
  scopes: ['openid', 'user:read:email'],
  pkce: 'none',
  clientAuthentication: 'post',
  idToken: {
    issuerPath: '/oauth2',
    algorithm: 'RS256',
    jwksPath: '/oauth2/keys',
    nonce: true,
    claims: ({ number, username }) => ({ sub: String(number), preferred_username: username }),
  },
  tokens: ({ accessToken, refreshToken, expiresIn, idToken }, { scopes, nonce }) => ({
    access_token: accessToken,
    expires_in: expiresIn,
    id_token: idToken,
    nonce,
    refresh_token: refreshToken,
    // A list, unlike RFC 6749.
    scope: scopes,
    token_type: 'bearer',
  }),
  tokenError: (error, description) => ({
    status: error === 'invalid_client' ? 403 : 400,
    body: { status: error === 'invalid_client' ? 403 : 400, message: description },
  }),
  resourceError: status => ({ error: 'Unauthorized', status, message: 'Invalid OAuth token' }),
  resources: [
    {
      path: '/helix/users',
      headers: { 'client-id': '{clientId}' },
      answer: (person, { scopes }) => ({
        data: [
          {
            id: String(person.number),
            login: person.username,
            display_name: fullName(person) ?? person.username,
            type: '',
            profile_image_url: person.picture ?? '',
            // Verified addresses only.
            ...(scopes.includes('user:read:email') && person.emailVerified && { email: person.email }),
          },
        ],
      }),
    },
  ],
}
