import { defineConfig } from 'vite'

/** Builds the phone's page. The app that uses the wallets of the package's own entry builds them. */
export default defineConfig({
  root: 'src/phone/page',
  build: {
    outDir: '../../../dist/phone/client',
    emptyOutDir: true,
    target: ['chrome123', 'firefox128', 'safari17.5'],
    // Inlines nothing, because the content security policy allows only files of this server.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
