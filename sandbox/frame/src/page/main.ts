/** Page of the wallet frame: passes the browser's globals to the library. */
import { laterLoader, readLater } from './boot/later.js'
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

const LATER = readLater(document)
const laterUrls = new Set([...LATER.values()].map(({ url }) => url))

/** Trusted Types policy that allows only the page's own script URLs. */
const policy = globalThis.trustedTypes?.createPolicy('keybay-frame', {
  createScriptURL(address) {
    if (address === kdfWorker || laterUrls.has(address.replace(/#\d+$/, ''))) return address
    throw new TypeError('Only the frame’s own files are run here.')
  },
})

function spawnKdf(): Worker {
  return Reflect.construct(Worker, [policy?.createScriptURL(kdfWorker) ?? kdfWorker, { type: 'module' }])
}

function allow(url: string): unknown {
  return policy?.createScriptURL(url) ?? url
}

function again(url: string) {
  return import(/* @vite-ignore */ url)
}

const loadChainModule = laterLoader<typeof import('./chains/index.js')>({
  file: LATER.get('chains'),
  allow,
  first: () => import('./chains/index.js'),
  again,
})
async function loadChains() {
  return (await loadChainModule()).openChains()
}

const loadDrives = laterLoader<typeof import('./backup/drives/index.js')>({
  file: LATER.get('drives'),
  allow,
  first: () => import('./backup/drives/index.js'),
  again,
})

const loadWindow = laterLoader<typeof import('./chains/solana/window.js')>({
  file: LATER.get('window'),
  allow,
  first: () => import('./chains/solana/window.js'),
  again,
})

const loadUpkeep = laterLoader<typeof import('./operations/upkeep.js')>({
  file: LATER.get('upkeep'),
  allow,
  first: () => import('./operations/upkeep.js'),
  again,
})

const place = document.querySelector<HTMLElement>('#screen')
const meta = document.querySelector<HTMLMetaElement>('meta[name="keybay:frame"]')
if (!place || !meta) throw new Error('This page is not whole.')
if (!serveReturnPage(window, place)) {
  const configuration: unknown = JSON.parse(meta.content || 'null')
  const loaders = { loadChains, loadDrives, loadWindow, loadUpkeep }
  await startWalletFrame({ configuration, self: window, place, spawnKdf, ...loaders })
}
