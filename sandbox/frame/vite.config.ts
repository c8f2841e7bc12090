import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

/** Subresource integrity: the page runs the scripts that it was built with, or none. */
const integrity = (): Plugin => ({
  name: 'keybay-integrity',
  async writeBundle({ dir = '' }) {
    const page = join(dir, 'index.html')
    const html = await readFile(page, 'utf8')
    const paths = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
    const hashes = await Promise.all(
      paths.map(async path =>
        createHash('sha384')
          .update(await readFile(join(dir, path)))
          .digest('base64'),
      ),
    )
    const whole = paths.reduce(
      (text, path, index) => text.replace(`"${path}"`, `"${path}" integrity="sha384-${hashes[index]}"`),
      html,
    )
    await writeFile(page, whole)
  },
})

export default defineConfig({
  build: {
    outDir: 'dist/client',
    target: ['chrome123', 'firefox128', 'safari17.5'],
    // Nothing inline: the content security policy allows files of this server only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One script, whose hash is in the page: what a script imports by itself, no hash would hold.
    rolldownOptions: { output: { codeSplitting: false } },
  },
  worker: { format: 'es' },
  plugins: [integrity()],
})
