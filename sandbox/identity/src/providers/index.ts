/** Lists the providers that speak OAuth 2.0, each in its own dialect. */
import type { StandIn } from '../oauth/types.js'
import { apple } from './apple.js'
import { bitbucket } from './bitbucket.js'
import { coinbasesocial } from './coinbasesocial.js'
import { discord } from './discord.js'
import { epicgames } from './epicgames.js'
import { facebook } from './facebook.js'
import { github } from './github.js'
import { instagram } from './instagram.js'
import { kraken } from './kraken.js'
import { line } from './line.js'
import { linkedin } from './linkedin.js'
import { microsoft } from './microsoft.js'
import { shopify } from './shopify.js'
import { spotify } from './spotify.js'
import { tiktok } from './tiktok.js'
import { twitch } from './twitch.js'
import { twitter } from './twitter.js'

export const STAND_INS: readonly StandIn[] = [
  apple,
  bitbucket,
  coinbasesocial,
  discord,
  epicgames,
  facebook,
  github,
  instagram,
  kraken,
  line,
  linkedin,
  microsoft,
  shopify,
  spotify,
  tiktok,
  twitch,
  twitter,
]
