import type { IncomingMessage } from 'node:http'
import { isLocalUrl } from '@keybay/sandbox-service'

/** Returns the page's origin, when it is one of this machine. */
export function localOrigin({ headers }: IncomingMessage): string | undefined {
  return headers.origin !== undefined && isLocalUrl(headers.origin) ? headers.origin : undefined
}
