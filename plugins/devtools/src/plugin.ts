/** The plugin: it records from the start, and loads its panel when it is opened. */
import { createStore, definePlugin, type Kernel, loadOnce, toKeybayError } from '@keybay/kernel'
import type { DevtoolsApi, DevtoolsOptions, DevtoolsPlugin } from './api.js'
import { createRecorder } from './recorder.js'
import { VERSION } from './version.js'

/** Loads the panel. Each entry of the package has an `import()` of its own: esbuild keeps one that no code reaches. */
export type LoadPanel = () => Promise<typeof import('./panel/index.js')>

function createApi(kernel: Kernel, { title = 'Keybay devtools' }: DevtoolsOptions, loadPanel: LoadPanel): DevtoolsApi {
  const recorder = createRecorder(kernel)
  const load = loadOnce(loadPanel)
  const isOpen = createStore(false, error => kernel.logger.error('devtools', error))
  let isDisposed = false
  let hide = () => {}
  const close = () => {
    isOpen.set(false)
    hide()
    hide = () => {}
  }
  kernel.onDispose(() => {
    close()
    isDisposed = true
  })
  return {
    get isOpen() {
      return isOpen.get()
    },
    async open() {
      if (isDisposed || isOpen.get() || typeof document === 'undefined') return
      isOpen.set(true)
      try {
        const { showPanel } = await load()
        // It may have been closed while its code loaded, and opened again.
        hide()
        if (isOpen.get()) hide = showPanel({ kernel, recorder, title, onClose: close })
      } catch (error) {
        close()
        throw toKeybayError(error)
      }
    },
    close,
    subscribe: isOpen.subscribe,
    async export() {
      const { exportAll } = await load()
      return exportAll(kernel, recorder.entries.get())
    },
  }
}

export function createPlugin(options: DevtoolsOptions, loadPanel: LoadPanel): DevtoolsPlugin {
  return definePlugin({
    id: 'devtools',
    version: VERSION,
    kit: true,
    setup(kernel) {
      const api = createApi(kernel, options, loadPanel)
      kernel.onStart(() => {
        if (options.open) api.open().catch(error => kernel.logger.error('devtools', error))
        return undefined
      })
      return { api }
    },
  })
}
