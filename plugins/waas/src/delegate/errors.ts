import type { ErrorSpec } from '@keybay/kernel/spec'

/** The bundle is incomplete, altered, or of another environment. */
export const bundleUnreadable: ErrorSpec<'delegate_bundle_unreadable'> = {
  code: 'delegate_bundle_unreadable',
  message: 'This delegation isn’t for this server',
}
