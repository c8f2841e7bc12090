/**
 * Lists the dapps on other libraries. Run as a program, installs these libraries: `npm test` does so while it waits for
 * other tests.
 */
import { pathToFileURL } from 'node:url'
import { prepare } from '@keybay/sandbox-bench/peers'

/** Names of the dapps: each is a file in `dapps/`, and a peer of the bench, whose packages the dapp is built from. */
export const dapps = ['wallet-adapter', 'connectorkit']

/** @param {string} name @returns {Promise<string>} the folder of its packages, installed when they are first needed */
export async function installDapp(name) {
  const { installed = '' } = await prepare({ name, title: name })
  return `${installed}/node_modules`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) for (const name of dapps) await installDapp(name)
