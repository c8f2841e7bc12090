/** All 22 providers, one plugin each. */
import * as social from '@keybay/social'

export const providers = [
  social.apple(),
  social.bitbucket(),
  social.coinbasesocial(),
  social.discord(),
  social.epicgames(),
  social.facebook(),
  social.farcaster(),
  social.github(),
  social.gitlab(),
  social.google(),
  social.instagram(),
  social.kraken(),
  social.line(),
  social.linkedin(),
  social.microsoft(),
  social.shopify(),
  social.spotify(),
  social.steam(),
  social.telegram(),
  social.tiktok(),
  social.twitch(),
  social.twitter(),
] as const
