/** Lists the measured entries. To add one, add a line here and a folder: see the README. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('..', import.meta.url))

/**
 * @typedef {object} Entry
 * @property {string} name Its folder in `entries/` (built from this workspace) or `peers/` (installed on its own).
 * @property {string} title
 * @property {'solana' | 'evm'} [wallets] The fakes that its page is given. None: only its size is taken.
 */

/** @type {readonly Entry[]} */
export const entries = [
  { name: 'keybay', title: 'Keybay', wallets: 'solana' },
  { name: 'keybay-solana', title: 'Keybay with @keybay/solana' },
  { name: 'keybay-accounts', title: 'Keybay with accounts: wallets, codes and passkeys' },
  { name: 'keybay-kit', title: 'Keybay with accounts and the UI kit' },
  { name: 'keybay-social-one', title: 'Keybay with accounts and one social provider' },
  { name: 'keybay-social', title: 'Keybay with accounts and 22 social providers' },
  { name: 'keybay-waas', title: 'Keybay with accounts and embedded wallets' },
  { name: 'keybay-turnkey', title: 'Keybay with that and custody wallets' },
  { name: 'keybay-wallets', title: 'Keybay with that, deep links, mobile wallets and browser extensions' },
  { name: 'keybay-all', title: 'Keybay with everything' },
  { name: 'kernel', title: '@keybay/kernel alone' },
  { name: 'floor', title: 'no kit: @wallet-standard/app', wallets: 'solana' },
  { name: 'wallet-adapter', title: 'wallet-adapter', wallets: 'solana' },
  { name: 'connectorkit', title: 'ConnectorKit', wallets: 'solana' },
  { name: 'solana-react-hooks', title: '@solana/react-hooks', wallets: 'solana' },
  { name: 'wagmi', title: 'wagmi (EVM)', wallets: 'evm' },
]

/** @param {Entry} entry @returns {string | undefined} the folder of a peer */
export function peerFolder({ name }) {
  const folder = join(here, 'peers', name)
  return existsSync(folder) ? folder : undefined
}

/** @param {Entry} entry */
export function ownFolder({ name }) {
  return join(here, 'entries', name)
}

export const harness = join(here, 'harness')
export const results = join(here, 'results')
