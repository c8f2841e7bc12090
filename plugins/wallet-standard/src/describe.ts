/** What a wallet says of itself, made safe to show. A wallet is whatever a page or an extension registers. */
import type { Wallet } from '@wallet-standard/base'

export interface Description {
  readonly id: `wallet-standard:${string}`
  readonly name: string
  /** A data URL of base64, for `<img src>` only: there an SVG runs no script. */
  readonly icon: string
}
const LONGEST_NAME = 64
const LONGEST_ICON = 200_000
/** What Wallet Standard allows, and JPEG. Nothing that could end an attribute, a `url()` or a string fits in it. */
const ICON = /^data:image\/(?:svg\+xml|webp|png|gif|jpeg);base64,[\w+/=]+$/
/** An empty picture. */
const BLANK = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>"

/** What cannot be seen becomes a blank and look-alike letter forms the plain ones, so that no name passes for another by them. */
function clean(name: string) {
  return name
    .slice(0, LONGEST_NAME)
    .normalize('NFKC')
    .slice(0, LONGEST_NAME) // one letter may have become eighteen
    .replace(/[\p{C}\p{DI}\s]+/gu, ' ')
    .trim()
}

function slugOf(name: string) {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{So}]+/gu, '-')
    .replace(/^-|-$/g, '')
}

/** Reads once, because a getter may answer differently each time. Undefined: it has no name to be known by. */
export function describe({ name, icon }: Wallet): Description | undefined {
  const shown = typeof name === 'string' ? clean(name) : ''
  const slug = slugOf(shown)
  const sound = typeof icon === 'string' && icon.length <= LONGEST_ICON && ICON.test(icon)
  return slug ? { id: `wallet-standard:${slug}`, name: shown, icon: sound ? icon : BLANK } : undefined
}
