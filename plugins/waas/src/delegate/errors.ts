import type { ErrorSpec } from '@keybay/kernel/spec'

/** Cut, altered, of another environment, or no delegation at all. */
export const bundleUnreadable: ErrorSpec<'delegate_bundle_unreadable'> = {
  code: 'delegate_bundle_unreadable',
  message: 'This is no delegation for this server',
}
