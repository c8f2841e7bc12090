/** The plugin of a production build: the same API, which does nothing. */
import type { DevtoolsPlugin } from './api.js'
import { VERSION } from './version.js'

export const emptyPlugin: DevtoolsPlugin = {
  id: 'devtools',
  version: VERSION,
  kit: true,
  setup: () => ({
    api: { isOpen: false, open: async () => {}, close() {}, subscribe: () => () => {}, export: async () => '{}' },
  }),
}
