/** State that the providers of one instance share: the options, the API `keybay.social`, and the engine. */
import { type Kernel, lazyApi, loadOnce } from '@keybay/kernel'
import type { SocialApi } from './api.js'
import type { Engine } from './engine.js'
import type { SocialOptions } from './plugin.js'
import type { SocialProviderDefinition } from './provider.js'

export interface SharedSocial {
  options: SocialOptions
  readonly providers: SocialProviderDefinition[]
  readonly api: SocialApi
  /** Loads the engine, one per instance. */
  loadEngine(): Promise<Engine>
}
type Social = Kernel<'account'>

function createShared(kernel: Social): SharedSocial {
  const { connections, connectors, session } = kernel
  const loadEngine = loadOnce(async () => {
    const { Engine } = await import('./engine.js')
    return new Engine(kernel, shared)
  })
  const shared: SharedSocial = {
    options: {},
    providers: [],
    loadEngine,
    api: {
      ...lazyApi(loadEngine, ['unlink']),
      async signIn(provider, input, { signal } = {}) {
        const id = `social:${provider}`
        // Nothing is awaited before `connect`: it opens a window in the click.
        if (connectors.get(id)) await connections.connect(id, input, signal)
        else (await loadEngine()).assertProvider(provider)
        return session.current
      },
    },
  }
  return shared
}

const instances = new WeakMap<Social, SharedSocial>()

export function getShared(kernel: Social): SharedSocial {
  const shared = instances.get(kernel) ?? createShared(kernel)
  instances.set(kernel, shared)
  return shared
}
