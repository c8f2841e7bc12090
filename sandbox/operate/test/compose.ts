/** Reads compose files as Docker does: anchors, `include`, which merges files, and variables. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
export const DEPLOY = join(ROOT, 'sandbox/deploy')

export interface Service {
  readonly image: string
  readonly build?: { readonly context: string; readonly dockerfile: string; readonly target: string }
  readonly env_file?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly aliases: readonly string[] }>>
  readonly depends_on?: Readonly<Record<string, unknown>>
  readonly ports?: readonly string[]
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly read_only?: boolean
  readonly restart?: string
  readonly stop_grace_period?: string
  readonly profiles?: readonly string[]
}
export interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
  readonly networks: Readonly<Record<string, unknown>>
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function merge(base: unknown, more: unknown): unknown {
  if (Array.isArray(base) && Array.isArray(more)) return [...base, ...more]
  if (!isMap(base) || !isMap(more)) return more
  const added = Object.entries(more).map(([name, value]) => [name, name in base ? merge(base[name], value) : value])
  return { ...base, ...Object.fromEntries(added) }
}

export function readDeployFile(name: string): string {
  return readFileSync(join(DEPLOY, name), 'utf8')
}

export function parseYaml(name: string): unknown {
  return parse(readDeployFile(name), { merge: true })
}

/** Returns a compose file with the files that it includes, and the variables that they use. */
export function readCompose(name: string): Compose {
  const { include = [], ...own } = Object(parseYaml(name))
  const files = include.flatMap(({ path }: { readonly path: readonly string[] }) => path.map(parseYaml))
  return Object([...files, own].reduce(merge))
}
