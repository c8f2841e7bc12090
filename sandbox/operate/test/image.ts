/** Performs what a target of the Dockerfile says, without Docker: copies, installs, and returns how it starts. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT, readDeployFile } from './compose.js'

export interface Instruction {
  readonly name: string
  readonly text: string
}
export interface Stage {
  readonly name: string
  /** Image or stage that it begins with. */
  readonly base: string
  readonly instructions: readonly Instruction[]
}

const WORKDIR = '/keybay'

/** Reads the stages of the Dockerfile, whose instructions have one line each. */
export function readStages(): readonly Stage[] {
  const stages: { name: string; base: string; instructions: Instruction[] }[] = []
  for (const line of readDeployFile('Dockerfile').split('\n')) {
    const [, name = '', text = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    const [, base, stage] = /^(?:--platform=\S+ )?(\S+) AS (\w+)$/.exec(name === 'FROM' ? text : '') ?? []
    if (base !== undefined && stage !== undefined) stages.push({ name: stage, base, instructions: [] })
    else if (name !== '') stages.at(-1)?.instructions.push({ name, text })
  }
  return stages
}

function getStage(name: string): Stage {
  const stage = readStages().find(each => each.name === name)
  if (!stage) throw new Error(`The Dockerfile has no target ${name}.`)
  return stage
}

/** Returns the instructions of a target, those of its base first. */
export function listInstructions(name: string): readonly Instruction[] {
  const { base, instructions } = getStage(name)
  return readStages().some(stage => stage.name === base) ? [...listInstructions(base), ...instructions] : instructions
}

/** Returns the arguments of the last instruction of a target that has this name. */
export function readCommand(target: string, name: 'CMD' | 'ENTRYPOINT' | 'HEALTHCHECK'): readonly string[] {
  const text = listInstructions(target).findLast(each => each.name === name)?.text ?? ''
  return JSON.parse(text.slice(text.indexOf('[')))
}

/** Returns the variables of a target. */
export function readVariables(target: string): Readonly<Record<string, string>> {
  const texts = listInstructions(target).filter(({ name }) => name === 'ENV')
  return Object.fromEntries(texts.flatMap(({ text }) => text.split(' ').map(pair => pair.split('='))))
}

/** Returns true for a path of the repository that a build sees. A pattern is a path, or `**\/` and a name. */
export function isInContext(path: string): boolean {
  const names = path.split('/')
  return !readDeployFile('Dockerfile.dockerignore')
    .trim()
    .split('\n')
    .some(pattern => {
      if (!pattern.startsWith('**/')) return path === pattern || path.startsWith(`${pattern}/`)
      const ignored = pattern.slice('**/'.length)
      return names.some(name => (ignored.startsWith('*') ? name.endsWith(ignored.slice(1)) : name === ignored))
    })
}

function shell(command: string, cwd: string): void {
  // The build machine's npm has the packages of the lockfile, so that a test needs no network.
  const env = { ...process.env, npm_config_prefer_offline: 'true' }
  execFileSync('sh', ['-ec', command], { cwd, env, stdio: 'pipe' })
}

/**
 * Performs the stage that builds. Its first two commands, which install and build everything, have run in this
 * repository: their output is copied.
 */
export function unpackSource(folder: string): void {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  for (const path of files
    .toString()
    .split('\0')
    .filter(each => each !== '' && isInContext(each))) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    if (existsSync(join(ROOT, path))) cpSync(join(ROOT, path), target)
    const [, owner] = /^(kernel|(?:plugins|sandbox)\/[^/]+)\/package\.json$/.exec(path) ?? []
    if (owner !== undefined && existsSync(join(ROOT, owner, 'dist')))
      cpSync(join(ROOT, owner, 'dist'), join(folder, owner, 'dist'), { recursive: true })
  }
  const commands = getStage('source').instructions.filter(({ name }) => name === 'RUN')
  const [, , ...rest] = commands.map(({ text }) => text)
  for (const command of rest) shell(command, folder)
}

/** Performs a target's COPY and RUN instructions in `folder`. @param source what `unpackSource` made */
export function unpackTarget(target: string, source: string, folder: string): void {
  for (const { name, text } of listInstructions(target)) {
    if (name === 'RUN') shell(text, folder)
    if (name !== 'COPY') continue
    const [, from, paths = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(text) ?? []
    const parts = paths.split(' ')
    const to = join(folder, parts.at(-1) ?? '')
    for (const path of parts.slice(0, -1)) {
      if (from === undefined) cpSync(join(ROOT, path), join(to, path))
      else cpSync(join(source, path.slice(WORKDIR.length)), to, { recursive: true })
    }
  }
}
