import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { publishCreatePackages, writeVersions } from '../src/changeset.mjs'
import { useTemporaryFolder } from './temporary.js'

const base = useTemporaryFolder()

it('writes the version of each package to its src/version.ts, and changes nothing else', () => {
  const { path, write } = base
  write('package.json', '{"workspaces":["kernel","plugins/*"]}')
  write('kernel/package.json', '{"name":"@keybay/kernel","version":"2.3.4"}')
  write('kernel/src/version.ts', "/** '0.1.0' was first. */\nexport const VERSION: string = '0.1.0'\n")
  write('plugins/acme/package.json', '{"name":"@keybay/acme","version":"2.3.5-next.1"}')
  write('plugins/acme/src/version.ts', "export const VERSION = '0.1.0'\n")
  write('plugins/other/package.json', '{"name":"@keybay/other","version":"2.3.4"}')
  writeVersions(path)
  expect(readFileSync(join(path, 'kernel/src/version.ts'), 'utf8')).toBe(
    "/** '0.1.0' was first. */\nexport const VERSION: string = '2.3.4'\n",
  )
  expect(readFileSync(join(path, 'plugins/acme/src/version.ts'), 'utf8')).toBe(
    "export const VERSION = '2.3.5-next.1'\n",
  )
})

/** A registry for npm that refuses packages by their name. @returns its URL, and the versions that npm published there */
async function startRegistry(refused: readonly string[] = []) {
  const packages = new Map<string, { readonly versions: object }>()
  const server = createServer(async (request, response) => {
    const name = (request.url ?? '').slice(1)
    const answer = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body))
    if (request.method !== 'PUT') return answer(packages.has(name) ? 200 : 404, packages.get(name) ?? {})
    const body = await text(request)
    if (refused.includes(name)) return answer(403, { error: 'refused' })
    packages.set(name, JSON.parse(body))
    return answer(201, { ok: true })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    // None of the developer's own settings, which could name another registry.
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name))),
      npm_config_registry: url,
      npm_config_userconfig: join(base.path, '.npmrc'),
      npm_config_cache: join(base.path, 'cache'),
    },
    published: () => [...packages].map(([name, { versions }]) => [name, Object.keys(versions)]),
    stop: () => server.close(),
  }
}

function writeCreators(registry: string, versions: readonly [string, string]): void {
  base.write('package.json', '{"name":"base","private":true}')
  base.write('.npmrc', `${registry.replace('http:', '')}/:_authToken=test\n`)
  for (const [index, name] of ['create-keybay', 'create-keybay-plugin'].entries())
    base.write(`sandbox/create/dist/${name}/package.json`, {
      name,
      version: versions[index],
      publishConfig: { registry },
    })
}

it('publishes the two create packages, and only the one whose version is not on npm yet', async () => {
  const registry = await startRegistry()
  writeCreators(registry.url, ['2.0.0', '2.0.0'])
  await publishCreatePackages(base.path, registry.env)
  expect(registry.published()).toEqual([
    ['create-keybay', ['2.0.0']],
    ['create-keybay-plugin', ['2.0.0']],
  ])
  writeCreators(registry.url, ['2.0.0', '2.1.0'])
  await publishCreatePackages(base.path, registry.env)
  expect(registry.published()).toEqual([
    ['create-keybay', ['2.0.0']],
    ['create-keybay-plugin', ['2.1.0']],
  ])
  registry.stop()
})

it('says which create package npm refused, and how to publish again', async () => {
  const registry = await startRegistry(['create-keybay-plugin'])
  writeCreators(registry.url, ['2.0.0', '2.0.0'])
  await expect(publishCreatePackages(base.path, registry.env)).rejects.toThrow(
    'create-keybay-plugin was not published: see above, then run npm run changeset publish again.',
  )
  expect(registry.published()).toEqual([['create-keybay', ['2.0.0']]])
  registry.stop()
})
