import * as social from '@keybay/social'
import { appleScriptUrl } from '../config.js'

const appleAtUrl = social.apple({ ...(appleScriptUrl && { script: appleScriptUrl }) })

/** The first group is shown at once. */
export const providerGroups = [
  { name: 'Common accounts', providers: [social.google(), appleAtUrl, social.microsoft(), social.facebook()] },
  {
    name: 'Networks and messengers',
    providers: [
      social.twitter(),
      social.instagram(),
      social.tiktok(),
      social.linkedin(),
      social.telegram(),
      social.line(),
      social.farcaster(),
    ],
  },
  { name: 'Code', providers: [social.github(), social.gitlab(), social.bitbucket()] },
  {
    name: 'Games and music',
    providers: [social.discord(), social.twitch(), social.steam(), social.epicgames(), social.spotify()],
  },
  { name: 'Exchanges and shops', providers: [social.coinbasesocial(), social.kraken(), social.shopify()] },
] as const

export const providers = providerGroups.flatMap(group => [...group.providers])
