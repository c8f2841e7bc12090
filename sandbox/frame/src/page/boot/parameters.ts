/** Reads the frame's own URL: path and six parameters (S2.1), only compared with the configuration. */

import { KeybayError } from '@keybay/kernel/spec'
import { frameRefused } from '@keybay/waas/protocol'
import type { FrameConfiguration } from '../../configuration/frame.js'

export interface FrameParameters {
  /** ID that the page generates for each frame it creates. */
  readonly instanceId: string
  /** The page's origin, which the configuration must list. */
  readonly hostOrigin: string
  readonly sdkVersion: string
}

const NAMES = ['instanceId', 'hostOrigin', 'environmentId', 'baseApiUrl', 'baseMPCRelayApiUrl', 'sdkVersion'] as const
const MAX_CHARACTERS = 300

/** @param detail names the mismatch, never a value from outside */
function refuse(detail: string): KeybayError {
  return new KeybayError(frameRefused, { detail })
}

/** Returns true for the configured URL, or for its origin alone, because pages may omit the version of the API. */
function fits(given: string, configured: string): boolean {
  if (!URL.canParse(given)) return false
  const bare = (text: string) => new URL(text).href.replace(/\/$/, '')
  return bare(given) === bare(configured) || bare(given) === new URL(configured).origin
}

/**
 * Reads the parameters and compares them with the configuration.
 * @param address the frame's own full URL
 * @throws KeybayError `frame_refused`, with the name of the parameter
 */
export function readParameters(address: string, configuration: FrameConfiguration): FrameParameters {
  const { pathname, searchParams } = new URL(address)
  const read = (name: (typeof NAMES)[number]): string => {
    const values = searchParams.getAll(name)
    const [value] = values
    if (values.length !== 1 || !value || value.length > MAX_CHARACTERS) throw refuse(`${name} is missing`)
    return value
  }
  const unknown = [...searchParams.keys()].find(name => !NAMES.some(known => known === name))
  if (unknown !== undefined) throw refuse(`${unknown.slice(0, 40)} is not known here`)
  const { environmentId, baseApiUrl, apiAliases = [], relays, parentOrigins } = configuration
  const check = (name: string, same: boolean) => {
    if (!same) throw refuse(`${name} is not the one that this frame works with`)
  }
  check('path', pathname === `/waas-v1/${environmentId}`)
  check('environmentId', read('environmentId') === environmentId)
  const api = read('baseApiUrl')
  check(
    'baseApiUrl',
    [baseApiUrl, ...apiAliases].some(known => fits(api, known)),
  )
  check('baseMPCRelayApiUrl', fits(read('baseMPCRelayApiUrl'), relays[0]?.url ?? ''))
  check('hostOrigin', parentOrigins.includes(read('hostOrigin')))
  check('instanceId', /^[\w-]{8,64}$/.test(read('instanceId')))
  return { instanceId: read('instanceId'), hostOrigin: read('hostOrigin'), sdkVersion: read('sdkVersion') }
}
