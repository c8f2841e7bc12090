/** `@keybay/devtools/production`: the plugin in every build, for apps that want it in production too. */
import type { DevtoolsOptions, DevtoolsPlugin } from './api.js'
import { createPlugin } from './plugin.js'

export type { DevtoolsApi, DevtoolsOptions, DevtoolsPlugin, Entry } from './api.js'

/**
 * Adds the developer tools in every build. They show no secrets, but they do show what the app does.
 *
 * @example const keybay = createKeybay({ appName: 'Acme', plugins: [walletStandard(), devtools()] })
 */
export function devtools(options: DevtoolsOptions = {}): DevtoolsPlugin {
  return createPlugin(options, () => import('./panel/index.js'))
}
