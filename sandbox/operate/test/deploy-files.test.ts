/** Tests the files of `sandbox/deploy` that need no running service. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { SERVICES } from '../src/services.js'
import { type Compose, DEPLOY, parseYaml, ROOT, readCompose, readDeployFile } from './compose.js'
import { isInContext, listInstructions, readStages, readVariables } from './image.js'
import { findSchemaProblems } from './json-schema.js'

const SCHEMA = JSON.parse(readFileSync(join(ROOT, 'sandbox/operate/test/compose-spec.json'), 'utf8'))
const DEPLOYMENTS = ['compose.yaml', 'operator-1.yaml', 'operator-2.yaml']
const SHARED = ['caddy', 'grafana', 'operate', 'postgres', 'prometheus', 'standby']
/** Seconds that a service takes to stop: it accepts requests, then its last ones end. */
const LONGEST_STOP_S = 5 + 20

function listFiles(): readonly string[] {
  return readdirSync(DEPLOY, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name !== '.env')
    .map(entry => join(entry.parentPath, entry.name).slice(DEPLOY.length + 1))
    .filter(file => !file.startsWith('keys/'))
}

function listOwn({ services }: Compose) {
  return Object.entries(services).filter(([, { build, profiles }]) => build && !profiles)
}

describe.each(readdirSync(DEPLOY).filter(name => name.endsWith('.yaml')))('%s', name => {
  it('fits the schema of compose files', () => {
    expect(findSchemaProblems(SCHEMA, parseYaml(name))).toEqual([])
  })
})

it('the schema finds a wrong compose file', () => {
  const find = (service: object) => findSchemaProblems(SCHEMA, { services: { api: service } })
  expect(find({ imaeg: 'x' })).toEqual(['.services.api.imaeg is not known'])
  expect(find({ read_only: [] })).toEqual(['.services.api.read_only is not boolean or string'])
  expect(find({ depends_on: { db: { condition: 'healthy' } } })).toHaveLength(1)
  expect(find({ image: 'x' })).toEqual([])
})

describe.each(DEPLOYMENTS)('%s', name => {
  const compose = readCompose(name)
  const own = listOwn(compose)

  it('fits the schema with the files that it includes', () => {
    expect(findSchemaProblems(SCHEMA, compose)).toEqual([])
  })

  it('has the services of its operator', () => {
    const product = ['api-1', 'api-2', 'custody', 'frame', 'r1']
    const expected = { 'compose.yaml': [...product, 'r2'], 'operator-1.yaml': product, 'operator-2.yaml': ['r2'] }[name]
    expect(Object.keys(compose.services).sort()).toEqual([...SHARED, ...(expected ?? [])].sort())
  })

  it('runs its services without rights, and gives each the time that it needs to stop', () => {
    for (const [service, { cap_drop, security_opt, read_only, restart, stop_grace_period = '' }] of own) {
      const rights = { cap_drop, security_opt, read_only, restart }
      expect([service, rights]).toEqual([
        service,
        { cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'], read_only: true, restart: 'unless-stopped' },
      ])
      expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(LONGEST_STOP_S)
    }
  })

  it('gives each service its own keys and variables, and the internet only Caddy', () => {
    for (const [service, { volumes, env_file, ports, environment }] of own) {
      const keys = service.replace(/-\d$/, '')
      expect(SERVICES).toContain(keys)
      expect([service, volumes, env_file]).toEqual([service, [`./keys/${keys}:/keys/${keys}:ro`], [`keys/${keys}.env`]])
      expect([ports, environment]).toEqual([undefined, undefined])
    }
    const { caddy, ...others } = compose.services
    expect(caddy?.ports).toEqual(['80:80', '443:443', '443:443/udp'])
    const published = Object.values(others).flatMap(({ ports = [] }) => ports)
    expect(published.filter(port => !port.startsWith('127.0.0.1:'))).toEqual([])
  })

  it('mounts only what exists, and reads only variables of the example', () => {
    const { services, volumes, networks } = compose
    const mounts = Object.values(services).flatMap(service => service.volumes ?? [])
    for (const source of mounts.map(mount => mount.split(':')[0] ?? '')) {
      if (!source.startsWith('.')) expect(Object.keys(volumes)).toContain(source)
      else if (!source.startsWith('./keys')) expect([source, existsSync(join(DEPLOY, source))]).toEqual([source, true])
    }
    for (const service of Object.values(services)) {
      const used = Object.keys(Object(service.networks)).filter(() => !Array.isArray(service.networks))
      const all = Array.isArray(service.networks) ? service.networks : used
      for (const network of all) expect(Object.keys(networks)).toContain(network)
      for (const needed of Object.keys(service.depends_on ?? {})) expect(Object.keys(services)).toContain(needed)
    }
    const known = Object.keys(parseEnv(readDeployFile('example.env')))
    const read = JSON.stringify(compose).match(/(?<=\$\{)\w+/g) ?? []
    expect(read.filter(variable => !known.includes(variable))).toEqual([])
  })

  it('has a site of Caddy and a job of Prometheus for every service', () => {
    const { caddy, prometheus } = compose.services
    const files = (mounts: readonly string[] = [], inside: string) =>
      mounts.filter(mount => mount.includes(inside)).map(mount => readDeployFile(mount.split(':')[0] ?? ''))
    const sites = files(caddy?.volumes, '/sites/').join('\n')
    const jobs = files(prometheus?.volumes, '/jobs/').join('\n')
    const ports = own.map(([service, { build }]) => `${service}:${readVariables(build?.target ?? '').READY_PORT}`)
    expect(sites.match(/[\w-]+:\d+/g)?.sort()).toEqual(ports.sort())
    const targets = own.map(([service]) => `${service}:9100`)
    expect(jobs.match(/[\w-]+:\d+/g)?.sort()).toEqual(targets.sort())
    const names = sites.match(/(?<=^\{\$)\w+/gm)?.map(variable => `\${${variable}:?}`)
    const { aliases } = Object(caddy?.networks).default
    expect(names?.sort()).toEqual([...aliases].sort())
    expect(sites.match(/^\timport away$/gm)).toHaveLength(aliases.length)
    expect(Object.values(caddy?.environment ?? {})).toEqual(expect.arrayContaining([...aliases]))
  })
})

it('every image is named with its version and no registry, and is the base of a target or a service', () => {
  const names = DEPLOYMENTS.flatMap(name =>
    Object.values(readCompose(name).services).flatMap(({ build, image }) => (build ? [] : [image])),
  )
  const [, node = ''] = /^ARG NODE=(.+)$/m.exec(readDeployFile('Dockerfile')) ?? []
  for (const image of [node, ...names]) expect(image).toMatch(/^[a-z]+(\/[a-z]+)?:v?\d+\.\d+(\.\d+)?(-[a-z-]+)?$/)
  expect(node).toMatch(/-slim$/)
})

it('no file names a registry', () => {
  const registry = /\b(docker\.io|ghcr\.io|quay\.io|registry\.[\w-]+|gcr\.io|npmjs)\b/
  expect(listFiles().filter(file => registry.test(readDeployFile(file)))).toEqual([])
})

it('a build sees neither secrets nor the output of other builds', () => {
  for (const path of ['sandbox/deploy/keys/r1/kek', 'sandbox/deploy/.env', '.git/config', 'kernel/dist/index.js'])
    expect([path, isInContext(path)]).toEqual([path, false])
  for (const path of ['package-lock.json', '.npmrc', 'kernel/src/index.ts', 'sandbox/api/migrations/0000_api.sql'])
    expect([path, isInContext(path)]).toEqual([path, true])
  expect(readDeployFile('.gitignore').split('\n')).toEqual(expect.arrayContaining(['.env', 'keys/']))
})

it('every target runs as another user than root, in production, and checks its own health', () => {
  const targets = readStages().filter(({ name }) => name !== 'source' && name !== 'base')
  expect(targets.map(({ name }) => name)).toEqual(['api', 'relay', 'custody', 'frame', 'operate'])
  for (const { name } of targets) {
    const all = listInstructions(name)
    expect([name, all.findLast(each => each.name === 'USER')?.text]).toEqual([name, 'node'])
    expect(all.map(({ text }) => text).join('\n')).not.toContain('--sandbox')
    expect(all.filter(each => each.name === 'HEALTHCHECK')).not.toEqual([])
    if (name !== 'operate')
      expect(readVariables(name)).toMatchObject({
        NODE_ENV: 'production',
        READY_PORT: expect.stringMatching(/^4\d00$/),
      })
  }
})
