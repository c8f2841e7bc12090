/** The plugin for development. In a production build it is empty: bundlers leave all of its code out. */
import type { DevtoolsOptions, DevtoolsPlugin } from './api.js'
import { emptyPlugin } from './empty.js'
import { createPlugin } from './plugin.js'

export type { DevtoolsApi, DevtoolsOptions, DevtoolsPlugin, Entry } from './api.js'

declare const process: { readonly env: { readonly NODE_ENV?: string } }

/**
 * Adds the developer tools as `keybay.devtools`. Where `NODE_ENV` is `production`, and in a page without a bundler, it does
 * nothing; see `@keybay/devtools/production`.
 *
 * @example
 * const keybay = createKeybay({ appName: 'Acme', plugins: [walletStandard(), devtools()] })
 * await keybay.devtools.open()
 */
export function devtools(options: DevtoolsOptions = {}): DevtoolsPlugin {
  // Bundlers replace this expression as a whole, and then drop the branch with its imports.
  try {
    if (process.env.NODE_ENV !== 'production') return createPlugin(options, () => import('./panel/index.js'))
  } catch {
    // no bundler, no process
  }
  return emptyPlugin
}
