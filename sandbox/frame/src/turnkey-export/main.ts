/** Page of the export window: passes the browser's globals to the library. */
import { startExportFrame } from './start.js'
import '../page/style.css'

const place = document.querySelector<HTMLElement>('#screen')
const meta = document.querySelector<HTMLMetaElement>('meta[name="keybay:turnkey-export"]')
if (!place || !meta) throw new Error('This page is not whole.')
const configuration: unknown = JSON.parse(meta.content || 'null')
await startExportFrame({ configuration, self: window, place })
