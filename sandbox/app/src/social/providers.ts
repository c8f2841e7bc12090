import * as social from '@keybay/social'
import { appleScriptUrl } from '../config.js'

const appleAtUrl = social.apple({ ...(appleScriptUrl && { script: appleScriptUrl }) })

/** The sign-in dialog groups them. */
export const providers = [
  social.google(),
  appleAtUrl,
  social.microsoft(),
  social.facebook(),
  social.twitter(),
  social.instagram(),
  social.tiktok(),
  social.linkedin(),
  social.telegram(),
  social.line(),
  social.farcaster(),
  social.github(),
  social.gitlab(),
  social.bitbucket(),
  social.discord(),
  social.twitch(),
  social.steam(),
  social.epicgames(),
  social.spotify(),
  social.coinbasesocial(),
  social.kraken(),
  social.shopify(),
] as const
