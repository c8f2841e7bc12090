/** Builds and serves the site. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '@keybay/sandbox-tools/repo'
import { build, serve } from 'vitepress'
import { ERRORS_PAGE, errorsPage } from './errors.mjs'
import { writeReference } from './reference.mjs'
import { stagePages } from './stage.mjs'

export const folder = join(root, 'sandbox/docs')
/** The built site. */
export const site = join(folder, 'dist/site')
const PORT = 4900

/** Writes the page of error codes into the repository. */
export function writeErrorsPage() {
  writeFileSync(join(root, ERRORS_PAGE), errorsPage())
}

/** @returns {Promise<void>} */
export async function buildSite() {
  const pages = join(folder, 'dist/pages')
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  await stagePages(pages, join(folder, 'dist/diagrams'))
  await writeReference(join(pages, 'reference'), join(folder, 'dist/reference'))
  await build(folder)
}

/** @returns {Promise<void>} once it listens */
export async function serveSite() {
  await serve({ root: folder, port: PORT })
}
