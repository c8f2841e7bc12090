/** Vite plugin: writes a Brotli and a gzip copy beside each built file, which the server sends as they are. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** A file below this size fits in one packet anyway, in bytes. */
const MIN_SIZE = 600
/** 1.7 % larger than at the best quality, which takes 2.5 times as long. */
const QUALITY = 10
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

async function compress(path: string): Promise<void> {
  const body = await readFile(path)
  if (body.length < MIN_SIZE) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
  await writeFile(`${path}.br`, await brotli(body, { params }))
  await writeFile(`${path}.gz`, await zip(body, { level: 9 }))
}

export function precompress(): Plugin {
  let folder = ''
  return {
    name: 'keybay:precompress',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = resolve(root, build.outDir)
    },
    async closeBundle() {
      const names = await readdir(folder, { recursive: true })
      await Promise.all(names.filter(name => /\.(js|css|svg)$/.test(name)).map(name => compress(join(folder, name))))
    },
  }
}
