/** An instance with the developer tools, and a plugin that emits events as the real plugins do. */
import { type Bus, createKeybay, definePlugin, type KeybayEvents, type Plugin } from '@keybay/kernel'
import { type FakeClock, fakeClock } from '@keybay/kernel/testing'
import type {} from '@keybay/solana' // its events
import type {} from '@keybay/waas'
import { type DevtoolsApi, type DevtoolsOptions, devtools } from '../src/index.js'

interface ExportedEvent {
  readonly at: string
  readonly event: string
  readonly payload: unknown
}
interface ExportedRow {
  readonly kind: string
  readonly name: string
  readonly outcome: string
  readonly after: number
  readonly ms?: number
}
export interface Exported {
  readonly session: unknown
  readonly connectors: readonly { readonly id: string; readonly readiness: string; readonly state: string }[]
  readonly events: readonly ExportedEvent[]
  readonly actions: readonly {
    readonly name: string
    readonly outcome: string
    readonly ms?: number
    readonly rows: readonly ExportedRow[]
  }[]
}

export interface Kit {
  readonly clock: FakeClock
  readonly devtools: DevtoolsApi
  readonly emit: Bus['emit']
  exported(): Promise<Exported>
  dispose(): void
}

export function createKit(options: DevtoolsOptions = {}): Kit {
  const clock = fakeClock()
  let emit: Bus['emit'] = () => {}
  const probe = (): Plugin<'probe'> =>
    definePlugin({
      id: 'probe',
      version: '1.0.0',
      setup(kernel) {
        emit = kernel.events.emit
        return {}
      },
    })
  const keybay = createKeybay({ appName: 'Test', logLevel: 'silent', clock, plugins: [devtools(options), probe()] })
  keybay.connectors.list() // starts it
  return {
    clock,
    devtools: keybay.devtools,
    emit: (event: keyof KeybayEvents, payload: KeybayEvents[keyof KeybayEvents]) => emit(event, payload),
    exported: async () => JSON.parse(await keybay.devtools.export()),
    dispose: keybay.dispose,
  }
}
