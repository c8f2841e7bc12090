/** Installs packed packages as a host does: outside this repository, with only their declared dependencies. */
import { existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { npm, run } from '../command.mjs'
import { type Package, packages, readJson, root } from '../repo.mjs'

/** Makes a package of this repository's `node_modules` available to the host. */
export function linkPackage(host: string, name: string): void {
  const path = join(host, 'node_modules', name)
  mkdirSync(dirname(path), { recursive: true })
  if (!existsSync(path)) symlinkSync(join(root, 'node_modules', name), path)
}

/** Returns the published packages with these IDs; all by default. */
export function publishedPackages(ids?: readonly string[]): readonly Package[] {
  return packages().filter(({ published, id }) => published && (ids === undefined || ids.includes(id)))
}

/** @returns the folder of a new host, in which the packages are installed */
export async function createHost(installed: readonly Package[]): Promise<string> {
  const host = mkdtempSync(join(tmpdir(), 'keybay-'))
  const workspaces = installed.flatMap(({ name }) => ['--workspace', name])
  const packed = await npm(['pack', '--pack-destination', host, ...workspaces], { show: false })
  expect(packed).toMatchObject({ code: 0 })
  for (const { name, manifest } of installed) {
    const folder = join(host, 'node_modules', name)
    mkdirSync(folder, { recursive: true })
    const tarball = join(host, `${name.slice(1).replace('/', '-')}-${manifest.version}.tgz`)
    const unpacked = await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder], { show: false })
    expect([name, unpacked]).toMatchObject([name, { code: 0, output: '' }])
    // Links only declared dependencies, so that an undeclared import does not resolve.
    const { dependencies = {} } = readJson(join(folder, 'package.json'))
    for (const needed of Object.keys(dependencies)) if (!needed.startsWith('@keybay/')) linkPackage(host, needed)
  }
  return host
}
