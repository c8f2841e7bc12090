import { defineConfig } from 'vite'

export default defineConfig({
  server: { host: '127.0.0.1', port: 4000, allowedHosts: ['app.localhost'] },
  build: {
    outDir: 'dist/client',
    // The oldest browsers that support everything the pages use: `light-dark()` and `<dialog>`.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // No inlining: the content security policy allows files of this server only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    // Social providers redirect users back to the second page.
    rolldownOptions: { input: { index: 'index.html', 'social-return': 'social-return.html' } },
  },
})
