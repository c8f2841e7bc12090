/** Debian's own Python with its own cryptography, installed on demand as PostgreSQL and Chromium are. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Not the first in PATH: the packages belong to the distribution's. */
const PYTHON = '/usr/bin/python3'
const READER = fileURLToPath(new URL('./read_backup.py', import.meta.url))
const PACKAGES = ['python3-cryptography', 'python3-argon2']

function isThere(): boolean {
  return existsSync(PYTHON) && spawnSync(PYTHON, ['-c', 'import cryptography, argon2']).status === 0
}

function isDebianRoot(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get')
}

/** @returns why there is none; undefined when there is */
export function whyNoPython(): string | undefined {
  if (isThere()) return undefined
  if (!isDebianRoot())
    return `${PACKAGES.join(' and ')} are not installed, and only root on Debian can install them here`
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  // Another test may be installing something right now.
  const apt = (...rest: string[]) =>
    spawnSync('/usr/bin/apt-get', ['-o', 'DPkg::Lock::Timeout=240', ...rest], { env, timeout: 300_000 })
  const install = () => apt('install', '-y', '-qq', '--no-install-recommends', 'python3', ...PACKAGES)
  if (install().status !== 0) {
    apt('update', '-qq')
    install()
  }
  return isThere() ? undefined : `apt-get could not install ${PACKAGES.join(' and ')}`
}

export interface Read {
  readonly header?: { readonly address: string; readonly epoch: number }
  readonly shares?: Readonly<Record<string, string>>
  readonly sealedSeed?: string | null
  readonly error?: string
}
export interface Question {
  readonly backup: Uint8Array
  readonly password?: string
  /** The passkey's output, hex. */
  readonly output?: string
}
/** Runs the reader once for all questions. */
export async function readInPython(all: readonly Question[]): Promise<readonly Read[]> {
  const reader = spawn(PYTHON, [READER], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = all.map(({ backup, ...rest }) =>
    JSON.stringify({ backup: Buffer.from(backup).toString('hex'), ...rest }),
  )
  reader.stdin.end(`${lines.join('\n')}\n`)
  let text = ''
  for await (const part of reader.stdout) text += part
  return text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}
