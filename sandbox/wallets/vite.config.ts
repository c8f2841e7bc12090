import { defineConfig } from 'vite'

/** The phone's page. The wallets of the package's own entry are built by the app that uses them. */
export default defineConfig({
  root: 'src/phone/page',
  build: {
    outDir: '../../../dist/phone/client',
    emptyOutDir: true,
    target: ['chrome123', 'firefox128', 'safari17.5'],
    // Nothing inline: the content security policy allows files of this server only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
