import type { IncomingMessage } from 'node:http'
import { isLocalUrl } from '@keybay/sandbox-service'

/** Returns the page's origin if it is on this machine. */
export function localOrigin({ headers }: IncomingMessage): string | undefined {
  return headers.origin !== undefined && isLocalUrl(headers.origin) ? headers.origin : undefined
}
