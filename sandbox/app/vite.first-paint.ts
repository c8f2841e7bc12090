/** Vite plugin: writes the app's shell into the built page, so that something meaningful paints before the app's code. */
import { fileURLToPath } from 'node:url'
import { type Plugin, runnerImport } from 'vite'

const ROOT = '<div id="root"></div>'
const MODULE = fileURLToPath(new URL('src/first-paint/static-shell.tsx', import.meta.url))

export function firstPaint(): Plugin {
  return {
    name: 'keybay:first-paint',
    apply: 'build',
    async transformIndexHtml(html, { path }) {
      if (path !== '/index.html') return html
      if (!html.includes(ROOT)) throw new Error('The page has no empty #root.')
      const { module } = await runnerImport<typeof import('./src/first-paint/static-shell.js')>(MODULE)
      return html.replace(ROOT, ROOT.replace('><', `>${module.renderShell()}<`))
    },
  }
}
