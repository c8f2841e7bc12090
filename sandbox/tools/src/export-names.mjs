/** Finds names that two published packages export for different things: an editor's import suggestion would pick either. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packages, root } from './repo.mjs'

/** Names that several packages may declare, and why. */
const SHARED_NAMES = new Map([
  ['CallOptions', 'the options of every call of a plugin’s API; embedded wallets add their window’s container'],
  ['CreateWalletOptions', 'options of each plugin’s own `createWallet`'],
  ['EvmTransaction', 'a request to an extension’s wallet, and decoded bytes of @keybay/waas/evm'],
  ['Instruction', 'one to build a transaction from, and decoded bytes of @keybay/waas/relay-client'],
  ['LogEntry', 'an entry of the kernel’s logger, and of the relays’ record log in @keybay/waas/mpc'],
  ['SessionState', 'the user’s session, and the custody key’s: `useTurnkey().session`'],
  ['SignTypedDataFeature', 'the same feature: custody wallets name its version'],
  ['SocialProfile', 'the same profile: the server half also sets fields to undefined'],
])

/** @typedef {{ name: string, text: string }} Exported */

/** @param {string} report text of `generated/api.txt` @returns {readonly Exported[]} what the package itself declares */
function readExports(report) {
  const [exported = ''] = report.split(/^\/\/ What they /m)
  return exported.split(/\n\n(?=export |\/\/)/).flatMap(text => {
    if (/^export \{.*\} (?:from|\/\/ see) /.test(text)) return []
    const [, renamed, declared] =
      /^export (?:\{ \w+ as (\w+) \}|(?:abstract )?(?:interface|type|class|const|function|enum) (\w+))/.exec(text) ?? []
    const name = renamed ?? declared
    return name === undefined ? [] : [{ name, text: text.trim() }]
  })
}

/**
 * @param {string} [base]
 * @param {ReadonlyMap<string, string>} [shared]
 * @returns {readonly string[]} one sentence per name
 */
export function exportNameProblems(base = root, shared = SHARED_NAMES) {
  /** @type {Map<string, Map<string, string>>} */
  const declarations = new Map()
  for (const { name: pkg, folder, published } of packages(base)) {
    if (!published) continue
    for (const { name, text } of readExports(readFileSync(join(base, folder, 'generated/api.txt'), 'utf8'))) {
      const places = declarations.get(name) ?? new Map()
      declarations.set(name, places.set(pkg, text))
    }
  }
  return [...declarations].flatMap(([name, places]) =>
    new Set(places.values()).size > 1 && !shared.has(name)
      ? [
          `${[...places.keys()].join(' and ')} export “${name}” for different things. Rename one, or give a reason in SHARED_NAMES`,
        ]
      : [],
  )
}
