/** User's settings on the phone, kept in local storage. */
import { openStore, type Store } from '../../store.js'
import type { Brand } from './brands.js'
import type { Linked, Links } from './link.js'
import { getManner, type Manner } from './manners.js'

const PREFIX = 'keybay-phone:'
const manners: Store = openStore(`${PREFIX}manner`)

export function readManner(): Manner {
  return getManner(manners.read())
}

export function chooseManner(id: string): void {
  manners.write(id)
}

/** Returns the name under which a brand stores its keys. */
export function keyringName({ key }: Brand): string {
  return `${PREFIX}${key}:keyring`
}

function isLinked(value: unknown): value is Linked {
  return ['sharedSecret', 'appUrl', 'cluster'].every(name => typeof Reflect.get(Object(value), name) === 'string')
}

/** Opens the list of apps that a brand knows. */
export function openLinks({ key }: Brand): Links & { readonly all: readonly Linked[]; clear(): void } {
  const store = openStore(`${PREFIX}${key}:links`)
  const read = () => new Map(Object.entries(Object(store.read())))
  const write = (links: ReadonlyMap<string, unknown>) => store.write(Object.fromEntries(links))
  return {
    get all() {
      return [...read().values()].filter(isLinked)
    },
    get(dappKey) {
      const linked = read().get(dappKey)
      return isLinked(linked) ? linked : undefined
    },
    set: (dappKey, linked) => write(read().set(dappKey, linked)),
    remove(dappKey) {
      const links = read()
      links.delete(dappKey)
      write(links)
    },
    clear: () => store.write({}),
  }
}
