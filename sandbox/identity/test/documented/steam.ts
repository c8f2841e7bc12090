import type { Documented } from './types.js'

const ID = 'http://steamcommunity.com/openid/id/76561197960435530'

/** OpenID 2.0: the test adds `return_to` and a nonce. The partner's page writes the claimed ID with `http:`. */
export const steam: Documented = {
  id: 'steam',
  pages: [
    'https://partner.steamgames.com/doc/features/auth#website',
    'https://steamcommunity.com/dev',
    'https://openid.net/specs/openid-authentication-2_0.html#verifying_signatures',
    'https://partner.steamgames.com/doc/webapi/ISteamUser#GetPlayerSummaries',
  ],
  read: '2026-11-28',
  missing: 'Steam’s pages list the fields of a player without an example; the values are ours.',
  responses: {
    '/openid/login': 'ns:http://specs.openid.net/auth/2.0\nis_valid:true\n',
    '/ISteamUser/GetPlayerSummaries/v2/': {
      response: {
        players: [
          {
            steamid: '76561197960435530',
            communityvisibilitystate: 3,
            profilestate: 1,
            personaname: 'Robin',
            profileurl: 'https://steamcommunity.com/id/robinwalker/',
            avatar: 'https://avatars.steamstatic.com/f1dd.jpg',
            avatarmedium: 'https://avatars.steamstatic.com/f1dd_medium.jpg',
            avatarfull: 'https://avatars.steamstatic.com/f1dd_full.jpg',
            realname: 'Robin Walker',
          },
        ],
      },
    },
  },
  returned: {
    'openid.ns': 'http://specs.openid.net/auth/2.0',
    'openid.mode': 'id_res',
    'openid.op_endpoint': 'https://steamcommunity.com/openid/login',
    'openid.claimed_id': ID,
    'openid.identity': ID,
    'openid.assoc_handle': '1234567890',
    'openid.signed': 'signed,op_endpoint,claimed_id,identity,return_to,response_nonce,assoc_handle',
    'openid.sig': 'aaaa',
  },
  profile: {
    id: '76561197960435530',
    username: 'Robin',
    name: 'Robin Walker',
    emailVerified: false,
    picture: 'https://avatars.steamstatic.com/f1dd_full.jpg',
  },
  declined: { 'openid.ns': 'http://specs.openid.net/auth/2.0', 'openid.mode': 'cancel' },
  errors: [
    {
      path: '/openid/login',
      status: 200,
      body: 'ns:http://specs.openid.net/auth/2.0\nis_valid:false\n',
      code: 'verification_error',
    },
  ],
}
