/** The page of the wallet frame: hands the library what only a page has. */
import { serveReturnPage, startWalletFrame } from '@keybay/waas/frame'
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

/** The one string that becomes code here, and only this one does. */
const policy = globalThis.trustedTypes?.createPolicy('keybay-frame', {
  createScriptURL(address) {
    if (address === kdfWorker) return address
    throw new TypeError('Only the frame’s own worker is run here.')
  },
})
const spawnKdf = (): Worker =>
  Reflect.construct(Worker, [policy?.createScriptURL(kdfWorker) ?? kdfWorker, { type: 'module' }])

const place = document.querySelector<HTMLElement>('#screen')
const meta = document.querySelector<HTMLMetaElement>('meta[name="keybay:frame"]')
if (!place || !meta) throw new Error('This page is not whole.')
if (!serveReturnPage(window, place)) {
  const configuration: unknown = JSON.parse(meta.content || 'null')
  await startWalletFrame({ configuration, self: window, place, spawnKdf })
}
