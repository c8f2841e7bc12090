/** Installs packages of the distribution, where that needs no confirmation. */
import { readFileSync } from 'node:fs'
import { run } from './command.mjs'

export function isDebian() {
  try {
    return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'))
  } catch {
    return false
  }
}

/** True for root on Debian. */
export function canInstall() {
  return isDebian() && process.getuid?.() === 0
}

/** @param {readonly string[]} names packages of Debian */
export async function installPackages(names) {
  console.info(`Installing ${names.join(', ')} from the distribution (apt-get) …`)
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  // Another program may be installing something right now.
  const wait = ['-o', 'DPkg::Lock::Timeout=240']
  const { code } = await run('apt-get', [...wait, 'update', '-qq'], options)
  if (code === 0) await run('apt-get', [...wait, 'install', '-y', '-qq', '--no-install-recommends', ...names], options)
}
