/** Makes a wallet's name and icon safe to show. Any script of the page may register a wallet. */
import type { Wallet } from '@wallet-standard/base'

export interface Description {
  readonly id: `wallet-standard:${string}`
  readonly name: string
  /** A base64 data URL, for `<img src>` only: an SVG runs no script there. */
  readonly icon: string
}
const MAX_NAME_LENGTH = 64
const MAX_ICON_LENGTH = 200_000
/** The types that Wallet Standard allows, and JPEG. No match can end an attribute, a `url()` or a string. */
const ICON = /^data:image\/(?:svg\+xml|webp|png|gif|jpeg);base64,[\w+/=]+$/
const EMPTY_ICON = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='

/** Replaces invisible characters and look-alike letter forms, so that they cannot make one name pass for another. */
function cleanName(name: string) {
  return name
    .slice(0, MAX_NAME_LENGTH)
    .normalize('NFKC')
    .slice(0, MAX_NAME_LENGTH) // NFKC may turn one letter into eighteen
    .replace(/[\p{C}\p{DI}\s]+/gu, ' ')
    .trim()
}

function toSlug(name: string) {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{So}]+/gu, '-')
    .replace(/^-|-$/g, '')
}

/** Reads each property once, because a getter may return another value the next time. Returns undefined without a name. */
export function describe({ name, icon }: Wallet): Description | undefined {
  const shownName = typeof name === 'string' ? cleanName(name) : ''
  const slug = toSlug(shownName)
  const isIconSafe = typeof icon === 'string' && icon.length <= MAX_ICON_LENGTH && ICON.test(icon)
  return slug ? { id: `wallet-standard:${slug}`, name: shownName, icon: isIconSafe ? icon : EMPTY_ICON } : undefined
}
