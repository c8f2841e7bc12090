/** Tests the worker that derives keys from passwords: its policy, and what the production build omits. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TEST_CLIENT } from '@keybay/sandbox-frame/sandbox'
import { expect, it } from 'vitest'
import { setUpEmbedder } from './embedder.js'

const here = setUpEmbedder()
const PRODUCTION = TEST_CLIENT.replace('test-client', 'client')
const TEST_COST = 'memoryKiB:8,iterations:1,parallelism:1'

async function readScripts(client: string): Promise<string> {
  const assets = join(client, 'assets')
  const names = (await readdir(assets)).filter(name => name.endsWith('.js'))
  return (await Promise.all(names.map(name => readFile(join(assets, name), 'utf8')))).join('\n')
}

function scriptPolicy(headers: Readonly<Record<string, string>>): string | undefined {
  return headers['content-security-policy']?.split('; ').find(directive => directive.startsWith('script-src'))
}

it('the key derivation worker may compile WebAssembly, and the page may not', async () => {
  const page = await (await here.newContext()).newPage()
  const response = await page.goto(here.address())
  expect(scriptPolicy(response?.headers() ?? {})).toBe("script-src 'self'")
  const [worker = ''] = (await readdir(join(PRODUCTION, 'assets'))).filter(name => name.startsWith('kdf-worker'))
  const { headers } = await fetch(`${here.url().replace('wallet.localhost', '127.0.0.1')}/assets/${worker}`)
  expect(headers.get('content-security-policy')?.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ])
  const refusal = await page.evaluate(() =>
    WebAssembly.compile(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)).then(String, String),
  )
  expect(refusal).toMatch(/CompileError.*Content Security Policy/)
})

it('only the test build contains the test cost of key derivation', async () => {
  expect(await readScripts(TEST_CLIENT)).toContain(TEST_COST)
  const production = await readScripts(PRODUCTION)
  expect(production).not.toContain(TEST_COST)
  expect(production).not.toMatch(/TEST_COST/)
})
