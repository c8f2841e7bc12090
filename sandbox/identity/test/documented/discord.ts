import type { Documented } from './types.js'

export const discord: Documented = {
  id: 'discord',
  pages: [
    'https://docs.discord.com/developers/topics/oauth2',
    'https://docs.discord.com/developers/resources/user',
    'https://docs.discord.com/developers/reference#error-messages',
  ],
  read: '2026-11-28',
  missing: 'The errors are those that published clients of Discord quote.',
  responses: {
    '/api/oauth2/token': {
      access_token: 'a',
      token_type: 'Bearer',
      expires_in: 604_800,
      refresh_token: 'r',
      scope: 'identify email',
    },
    '/api/users/@me': {
      id: '80351110224678912',
      username: 'Nelly',
      discriminator: '1337',
      avatar: '8342729096ea',
      verified: true,
      email: 'nelly@discord.com',
      flags: 64,
      banner: '06c16474723f',
      accent_color: 16_711_680,
      premium_type: 1,
      public_flags: 64,
    },
  },
  profile: {
    id: '80351110224678912',
    username: 'Nelly',
    name: 'Nelly',
    email: 'nelly@discord.com',
    emailVerified: true,
    picture: 'https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea.png',
  },
  scope: 'identify email',
  declined: {
    error: 'access_denied',
    error_description: 'The resource owner or authorization server denied the request',
  },
  errors: [
    {
      path: '/api/oauth2/token',
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Invalid "code" in request.' },
      error: 'invalid_grant',
    },
    {
      path: '/api/users/@me',
      status: 401,
      body: { message: '401: Unauthorized', code: 0 },
      error: '401: Unauthorized',
    },
  ],
}
