/** Page of the wallet frame: passes the browser's globals to the library. */
import { serveReturnPage } from './boot/return-page.js'
import { startWalletFrame } from './boot/start.js'
import './style.css'
import kdfWorker from './kdf-worker.js?worker&url'

/** https://w3c.github.io/trusted-types/dist/spec/, of which this page needs one method. */
declare global {
  var trustedTypes:
    | {
        createPolicy(
          name: string,
          rules: { createScriptURL(text: string): string },
        ): { createScriptURL(text: string): unknown }
      }
    | undefined
}

/** URL and hash of the file that loads with the first EVM or Bitcoin account. */
const [later = '', laterHash = ''] =
  document.querySelector<HTMLMetaElement>('meta[name="keybay:later"]')?.content.split(' ') ?? []

/** Trusted Types policy that allows only these two script URLs. */
const policy = globalThis.trustedTypes?.createPolicy('keybay-frame', {
  createScriptURL(address) {
    if (address === kdfWorker || address.replace(/#\d+$/, '') === later) return address
    throw new TypeError('Only the frame’s own files are run here.')
  },
})

function spawnKdf(): Worker {
  return Reflect.construct(Worker, [policy?.createScriptURL(kdfWorker) ?? kdfWorker, { type: 'module' }])
}

/** Loads the file in a script element, which checks its hash and puts it into the page's module map. */
function loadChecked(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.type = 'module'
    script.integrity = laterHash
    Reflect.set(script, 'src', policy?.createScriptURL(address) ?? address)
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new TypeError(`${later} did not load, or is another file.`)))
    document.head.append(script)
  })
}
/**
 * Number of attempts. `import` cannot check a hash, but reuses the checked file in the module map. That map also
 * remembers failed URLs, so each retry needs a new URL.
 */
let attempts = 0

async function load() {
  const address = attempts === 0 ? later : `${later}#${attempts}`
  attempts += 1
  await loadChecked(address)
  const module: typeof import('./chains/index.js') =
    address === later ? await import('./chains/index.js') : await import(/* @vite-ignore */ address)
  return module.openChains()
}
let loading: ReturnType<typeof load> | undefined

function loadChains() {
  loading ??= load()
  loading.catch(() => {
    loading = undefined
  })
  return loading
}

const place = document.querySelector<HTMLElement>('#screen')
const meta = document.querySelector<HTMLMetaElement>('meta[name="keybay:frame"]')
if (!place || !meta) throw new Error('This page is not whole.')
if (!serveReturnPage(window, place)) {
  const configuration: unknown = JSON.parse(meta.content || 'null')
  await startWalletFrame({ configuration, self: window, place, spawnKdf, loadChains })
}
