import {
  apple,
  bitbucket,
  coinbasesocial,
  discord,
  epicgames,
  facebook,
  farcaster,
  github,
  gitlab,
  google,
  instagram,
  kraken,
  line,
  linkedin,
  microsoft,
  shopify,
  spotify,
  steam,
  telegram,
  tiktok,
  twitch,
  twitter,
} from '@keybay/social'
import { appleScriptUrl } from '../config.js'

const appleAtUrl = apple({ ...(appleScriptUrl && { script: appleScriptUrl }) })

/** The first group is shown at once. */
export const providerGroups = [
  { name: 'Common accounts', providers: [google(), appleAtUrl, microsoft(), facebook()] },
  {
    name: 'Networks and messengers',
    providers: [twitter(), instagram(), tiktok(), linkedin(), telegram(), line(), farcaster()],
  },
  { name: 'Code', providers: [github(), gitlab(), bitbucket()] },
  { name: 'Games and music', providers: [discord(), twitch(), steam(), epicgames(), spotify()] },
  { name: 'Exchanges and shops', providers: [coinbasesocial(), kraken(), shopify()] },
] as const

export const providers = providerGroups.flatMap(group => [...group.providers])
