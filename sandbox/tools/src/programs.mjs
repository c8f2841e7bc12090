/** Programs that tests need next to Chromium. `npm test` installs them; without them their tests fail. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { canInstall, installPackages } from './apt.mjs'

/** @typedef {{ name: string, packages: readonly string[], find: (env: NodeJS.ProcessEnv) => string | undefined }} Program `packages`: of Debian */

/** @param {NodeJS.ProcessEnv} env */
function listFolders(env) {
  return (env.PATH ?? '').split(delimiter)
}

/** Debian's packages of PostgreSQL, newest first. @returns {readonly string[]} folders of programs */
function listPostgresVersions(base = '/usr/lib/postgresql') {
  if (!existsSync(base)) return []
  const versions = readdirSync(base).sort((a, b) => Number(b) - Number(a))
  return versions.map(version => join(base, version, 'bin'))
}

/** @type {Program} `find` returns the folder of its programs. */
export const POSTGRES = {
  name: 'PostgreSQL',
  packages: ['postgresql'],
  find: env => [...listPostgresVersions(), ...listFolders(env)].find(folder => existsSync(join(folder, 'initdb'))),
}

/** @type {Program} Checks alerts and Prometheus's configuration. */
export const PROMTOOL = {
  name: 'promtool, of Prometheus',
  packages: ['prometheus'],
  find: env => ['/usr/bin', ...listFolders(env)].map(folder => join(folder, 'promtool')).find(existsSync),
}

/** @type {Program} Replaces a failed primary of PostgreSQL. */
export const PATRONI = {
  name: 'Patroni',
  packages: ['patroni'],
  find: env =>
    listFolders(env)
      .map(folder => join(folder, 'patroni'))
      .find(existsSync),
}

/** @type {Program} Where Patroni's nodes agree. */
export const ETCD = {
  name: 'etcd',
  packages: ['etcd-server'],
  find: env =>
    listFolders(env)
      .map(folder => join(folder, 'etcd'))
      .find(existsSync),
}

/** @param {string} path */
function hasPythonModules(path) {
  return existsSync(path) && spawnSync(path, ['-c', 'import cryptography, argon2']).status === 0
}

/** @type {Program} First the distribution's, because the modules are packages of the distribution. */
export const PYTHON = {
  name: 'Python 3 with its modules cryptography and argon2',
  packages: ['python3', 'python3-cryptography', 'python3-argon2'],
  find: env => ['/usr/bin', ...listFolders(env)].map(folder => join(folder, 'python3')).find(hasPythonModules),
}

/**
 * Installs the programs that are missing, where that is possible.
 * @param {readonly Program[]} programs
 */
export async function ensurePrograms(programs) {
  const missing = programs.filter(({ find }) => !find(process.env))
  if (missing.length > 0 && canInstall()) await installPackages(missing.flatMap(({ packages }) => packages))
}

/**
 * Finds a program for a test, which fails without it.
 * @param {Program} program
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string} path
 * @throws {Error} that says how to install it
 */
export function requireProgram({ name, packages, find }, env = process.env) {
  const path = find(env)
  if (path) return path
  throw new Error(
    `These tests need ${name}. As root on Debian, npm test installs it; elsewhere install it: sudo apt-get install ${packages.join(' ')}`,
  )
}
