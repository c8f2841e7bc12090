import { defineConfig } from 'vite'

export default defineConfig({
  server: { host: '127.0.0.1', port: 4000, allowedHosts: ['app.localhost'] },
  build: {
    outDir: 'dist/client',
    // The oldest browsers with everything that the pages use: `light-dark()` and `<dialog>`.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // Nothing inline: the content security policy allows files of this server only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    // The second page is where social providers send people back to.
    rolldownOptions: { input: { index: 'index.html', 'social-return': 'social-return.html' } },
  },
})
