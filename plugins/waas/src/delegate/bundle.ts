/** The bundle that a page brings a delegate. The frame seals it for the delegate's key. */
import {
  type ErrorSpec,
  KeybayError,
  THRESHOLD_SIGNATURE_SCHEMES,
  type ThresholdSignatureScheme,
} from '@keybay/kernel/spec'
import * as v from 'valibot'
import { type Dealt, dealtForOther } from '../relay-client/answers.js'

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(128))
/** Public, except the content of the boxes. */
export interface Bundle {
  readonly version: 1
  readonly environmentId: string
  /** Id of the user who owns the wallet. */
  readonly user: string
  readonly walletId: string
  readonly setId: string
  readonly address: string
  readonly scheme: ThresholdSignatureScheme
  readonly dealt: Dealt
}
const bundleSchema: v.GenericSchema<unknown, Bundle> = v.strictObject({
  version: v.literal(1),
  environmentId: id,
  user: id,
  walletId: id,
  setId: id,
  address: id,
  scheme: v.picklist(THRESHOLD_SIGNATURE_SCHEMES),
  dealt: dealtForOther,
})

function parse(sealedShare: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(sealedShare))
  } catch {
    return undefined
  }
}

/** @throws KeybayError `delegate_bundle_unreadable` */
export function readBundle(sealedShare: Uint8Array, environmentId: string): Bundle {
  const { success, output } = v.safeParse(bundleSchema, parse(sealedShare))
  if (success && output.environmentId === environmentId) return output
  throw new KeybayError(bundleUnreadable)
}

/** The bundle is incomplete, altered, or of another environment. */
export const bundleUnreadable: ErrorSpec<'delegate_bundle_unreadable'> = {
  code: 'delegate_bundle_unreadable',
  message: 'This delegation isn’t for this server',
}
