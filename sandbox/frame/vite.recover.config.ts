import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

function getHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** Puts everything into one file, with a policy that allows no request. */
function oneFile(): Plugin {
  return {
    name: 'keybay-one-file',
    async writeBundle({ dir = '' }) {
      const page = join(dir, 'index.html')
      let html = await readFile(page, 'utf8')
      const inline = async (pattern: RegExp, tag: 'script type="module"' | 'style'): Promise<string> => {
        const [whole = '', path = ''] = pattern.exec(html) ?? []
        const text = (await readFile(join(dir, path), 'utf8')).replace(/<\/(script|style)/gi, '<\\/$1')
        html = html.replace(whole, () => `<${tag}>${text}</${tag.split(' ')[0]}>`)
        return getHash(text)
      }
      const script = await inline(/<script[^>]*src="([^"]+)"[^>]*><\/script>/, 'script type="module"')
      const style = await inline(/<link[^>]*rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/, 'style')
      const policy = `default-src 'none'; script-src ${script}; style-src ${style}; base-uri 'none'; form-action 'none'`
      const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`
      await writeFile(page, html.replace('<meta charset="utf-8" />', `<meta charset="utf-8" />\n    ${meta}`))
      await rm(join(dir, 'assets'), { recursive: true })
    },
  }
}

export default defineConfig({
  root: 'src/recover',
  build: {
    outDir: '../../dist/recover',
    emptyOutDir: true,
    target: ['chrome123', 'firefox128', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: false } },
  },
  plugins: [oneFile()],
})
