import type { Documented } from './types.js'

/** The scope is a list, and errors of the two hosts differ. */
export const twitch: Documented = {
  id: 'twitch',
  pages: [
    'https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/',
    'https://dev.twitch.tv/docs/authentication/getting-tokens-oauth/',
    'https://dev.twitch.tv/docs/authentication/validate-tokens/',
    'https://dev.twitch.tv/docs/api/reference/#get-users',
  ],
  read: '2026-11-28',
  responses: {
    '/oauth2/token': {
      access_token: 'a',
      expires_in: 14_124,
      id_token: '',
      refresh_token: 'r',
      scope: ['openid', 'user:read:email'],
      token_type: 'bearer',
    },
    '/helix/users': {
      data: [
        {
          id: '141981764',
          login: 'twitchdev',
          display_name: 'TwitchDev',
          type: '',
          broadcaster_type: 'partner',
          profile_image_url: 'https://static-cdn.jtvnw.net/8a6381c7.png',
          offline_image_url: 'https://static-cdn.jtvnw.net/3f13ab61.png',
          view_count: 5_980_557,
          email: 'not-real@email.com',
          created_at: '2016-12-14T20:32:28Z',
        },
      ],
    },
  },
  claims: { iss: 'https://id.twitch.tv/oauth2', sub: '141981764', azp: 'h', preferred_username: 'TwitchDev' },
  profile: {
    id: '141981764',
    username: 'twitchdev',
    name: 'TwitchDev',
    email: 'not-real@email.com',
    emailVerified: true,
    picture: 'https://static-cdn.jtvnw.net/8a6381c7.png',
  },
  scope: 'openid user:read:email',
  returned: { scope: 'openid user:read:email' },
  declined: { error: 'access_denied', error_description: 'The user denied you access' },
  errors: [
    {
      path: '/oauth2/token',
      status: 400,
      body: { status: 400, message: 'Invalid authorization code' },
      error: 'Invalid authorization code',
    },
    {
      path: '/helix/users',
      status: 401,
      body: { error: 'Unauthorized', status: 401, message: 'Invalid OAuth token' },
      error: 'Unauthorized',
    },
  ],
}
