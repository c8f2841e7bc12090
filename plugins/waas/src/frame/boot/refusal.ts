/** Why a frame does not start. */
import { KeybayError } from '@keybay/kernel'
import { frameRefused } from '../../protocol/errors.js'

/** @param detail says what does not fit, never a value that came from outside */
export const refuse = (detail: string): KeybayError => new KeybayError(frameRefused, { detail })
