import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { MessageSection } from '../src/ui/index.js'
import { loadTexts } from '../src/ui/locales/load.js'

const MAX_GZIP_BYTES = 2048

async function loadSections(): Promise<readonly MessageSection[]> {
  const files = readdirSync(new URL('../src/ui/locales/en', import.meta.url))
  const modules: readonly Readonly<Record<string, MessageSection>>[] = await Promise.all(
    files.map(file => import(`../src/ui/locales/en/${file.replace('.ts', '')}.ts`)),
  )
  return modules.flatMap(module => Object.values(module))
}

function getPlaceholders(text: string): readonly string[] {
  return [...new Set(text.match(/\{\w+\}/g))].sort()
}

const sections = await loadSections()

describe.each(sections)('the section $name', ({ name, texts }) => {
  it.each(['es', 'ar', 'pseudo'] as const)(
    'in %s has the keys and placeholders of English, and at most 2 KiB',
    async locale => {
      const translated = await loadTexts(locale, name)
      if (!translated) throw new Error(`${locale} has no section ${name}`)
      const shape = (of: Readonly<Record<string, string>>) =>
        Object.entries(of)
          .map(([key, text]) => `${key} ${getPlaceholders(text)}`)
          .sort()
      expect(shape(translated)).toEqual(shape(texts))
      expect(Object.entries(translated).filter(([, text]) => text.trim() === '')).toEqual([])
      if (locale !== 'pseudo') expect(gzipSync(JSON.stringify(translated)).length).toBeLessThanOrEqual(MAX_GZIP_BYTES)
    },
  )
})

describe('the texts by error code, which English does not need', () => {
  it('are the same in each language, of known codes, and at most 2 KiB', async () => {
    const [es = {}, ar = {}] = await Promise.all([loadTexts('es', 'codes'), loadTexts('ar', 'codes')])
    expect(Object.keys(ar)).toEqual(Object.keys(es))
    const documented = readFileSync(new URL('../../kernel/ERRORS.md', import.meta.url), 'utf8')
    expect(Object.keys(es).filter(code => !documented.includes(`## ${code}\n`))).toEqual([])
    const withAdvice = sections.filter(({ name }) => /errors$/.test(name)).flatMap(({ texts }) => Object.keys(texts))
    expect(Object.keys(es).filter(code => withAdvice.includes(code))).toEqual([])
    for (const texts of [es, ar]) expect(gzipSync(JSON.stringify(texts)).length).toBeLessThanOrEqual(MAX_GZIP_BYTES)
  })
})
