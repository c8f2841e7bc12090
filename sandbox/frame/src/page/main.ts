/** The page of the wallet frame: hands the library what only a page has. */
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

/** Address and hash of the file that loads with the first EVM or Bitcoin account. */
const [later = '', laterHash = ''] =
  document.querySelector<HTMLMetaElement>('meta[name="keybay:later"]')?.content.split(' ') ?? []

/** The two strings that become code here, and only these do. */
const policy = globalThis.trustedTypes?.createPolicy('keybay-frame', {
  createScriptURL(address) {
    if (address === kdfWorker || address.replace(/#\d+$/, '') === later) return address
    throw new TypeError('Only the frame’s own files are run here.')
  },
})

function spawnKdf(): Worker {
  return Reflect.construct(Worker, [policy?.createScriptURL(kdfWorker) ?? kdfWorker, { type: 'module' }])
}

/** An element with the hash loads the file, and so fills its place in the page's module map. */
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
 * An `import` knows no hash; but it takes what is in the module map, which was checked. A browser remembers there, too, that an
 * address has failed: so each further attempt has an address of its own.
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
