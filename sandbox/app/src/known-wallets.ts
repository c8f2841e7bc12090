/** Wallets that one may know and have not installed: the connect dialog says where to get them. A plugin of the host's own. */
import { type Connector, definePlugin, type Plugin, VERSION } from '@keybay/kernel'

const known: readonly (readonly [name: string, installUrl: string])[] = [
  ['Phantom', 'https://phantom.com/download'],
  ['Solflare', 'https://solflare.com/download'],
  ['Backpack', 'https://backpack.app/download'],
]

const hint = ([name, installUrl]: (typeof known)[number]): Connector => ({
  id: `get:${name.toLowerCase()}`,
  kind: 'wallet',
  connectionType: 'browserExtension',
  name,
  // Without a picture of its own the dialog shows the first letter.
  icon: '',
  readiness: 'not-installed',
  installUrl,
  wallet: { version: '1.0.0', name, icon: 'data:image/png;base64,', chains: [], features: {}, accounts: [] },
})

/** A hint goes when the wallet of that name comes, and comes back when that leaves. */
export const knownWallets = (): Plugin<'known-wallets'> =>
  definePlugin({
    id: 'known-wallets',
    version: VERSION,
    setup({ connectors, onStart }) {
      const removers = new Map<string, () => void>()
      const update = () => {
        const installed = new Set(connectors.list().flatMap(one => (one.readiness === 'ready' ? [one.name] : [])))
        for (const entry of known) {
          const [name] = entry
          if (!installed.has(name) && !removers.has(name)) removers.set(name, connectors.add(hint(entry)))
          else if (installed.has(name)) {
            removers.get(name)?.()
            removers.delete(name)
          }
        }
      }
      onStart(() => {
        update()
        return connectors.subscribe(update)
      })
      return {}
    },
  })
