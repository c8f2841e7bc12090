import { defineProvider, type OpenId2Provider } from '../provider.js'

/**
 * OpenID 2.0. Names and pictures need a Web API key: `SOCIAL_STEAM_CLIENT_SECRET`.
 * @see https://partner.steamgames.com/doc/webapi/ISteamUser#GetPlayerSummaries user profile
 */
export const steam: OpenId2Provider = defineProvider({
  id: 'steam',
  docs: 'https://partner.steamgames.com/doc/features/auth#website',
  protocol: 'openid2',
  endpoint: 'https://steamcommunity.com/openid/login',
  identifier: 'https://steamcommunity.com/openid/id/',
  sources: {
    players: { url: 'https://api.steampowered.com/ISteamUser/GetPlayerSummaries/v2/?key={key}&steamids={id}' },
  },
  profile: {
    id: 'openid.id',
    username: 'players.response.players[0].personaname',
    name: ['players.response.players[0].realname', 'players.response.players[0].personaname'],
    picture: 'players.response.players[0].avatarfull',
  },
})
