import { defineConfig } from 'vite'
import { firstPaint } from './vite.first-paint.js'
import { precompress } from './vite.precompress.js'

/** Modules of every page. */
const SHARED = [
  /(kernel\/dist|react\/dist|app\/src\/(design|chain|routing|sign-in))\/.*(?<!qr-code)\.[jt]sx?$/,
  /plugins\/account\/dist\/ui\/(sign-in-dialog|slots|views)\.js$/,
]

export default defineConfig({
  plugins: [firstPaint(), precompress()],
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
    rolldownOptions: {
      input: { index: 'index.html', 'social-return': 'social-return.html' },
      output: {
        codeSplitting: {
          groups: [
            // The page that providers redirect users back to loads this and no framework.
            { name: 'social-return', test: /plugins\/social\/dist\/return\//, priority: 1 },
            // Changes less often than the app does.
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            // One file instead of many small ones, which wait for each other.
            { name: 'shared', test: id => SHARED.some(part => part.test(id)), minShareCount: 2 },
          ],
        },
      },
    },
  },
})
