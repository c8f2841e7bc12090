/** Runs a dapp built on another library, with its real packages, in a page of a host that announces its wallet. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Locator, Page } from 'playwright-core'
import { installDapp } from './dapps.mjs'

const DAPPS = fileURLToPath(new URL('../dapps', import.meta.url))

/** @param name one of `dapps` */
export async function bundleDapp(name: string): Promise<string> {
  const modules = await installDapp(name)
  const { outputFiles } = await build({
    entryPoints: [join(DAPPS, `${name}.jsx`)],
    bundle: true,
    format: 'iife',
    write: false,
    jsx: 'automatic',
    nodePaths: [modules],
    // Uses one React: the library's.
    alias: { react: join(modules, 'react'), 'react-dom': join(modules, 'react-dom') },
    define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

/**
 * Announces the wallet, and runs the dapp beside the app through the debugger, because the page allows only its own
 * scripts.
 */
export async function openDapp(page: Page, script: string): Promise<Locator> {
  await page.evaluate(() => Reflect.get(globalThis, 'keybay').connectors.announce('waas'))
  await page.evaluate(script)
  return page.getByRole('region', { name: 'Dapp' })
}
