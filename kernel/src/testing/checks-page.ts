/** Checks of what a connector does to the page around it and to the kernel's own events. */
import { check } from './check.js'
import type { ConnectorCheck } from './expectations.js'
import { settle } from './fake-clock.js'
import { demand, within } from './stage.js'

/** An item of the app, which no connector may touch. */
const ITEM = 'conformance-app'

export const pageChecks: readonly ConnectorCheck[] = [
  check({
    name: 'storage: leaves the items of the app alone',
    async play(stage, expectations) {
      const storages = [
        ['localStorage', localStorage],
        ['sessionStorage', sessionStorage],
      ] as const
      for (const [, storage] of storages) storage.setItem(ITEM, 'kept')
      try {
        await within(stage.connect(), 'a connect that the user approves must resolve', expectations)
        await stage.keybay.disconnect(expectations.id)
        stage.keybay.dispose()
        await settle()
        for (const [name, storage] of storages)
          demand(
            storage.getItem(ITEM) === 'kept',
            `${name} must keep the items of the app, but the connector changed or removed one: remove your own keys by name, not with clear()`,
          )
      } finally {
        for (const [, storage] of storages) storage.removeItem(ITEM)
      }
    },
  }),
  check({
    name: 'events: only the kernel emits those of the kernel',
    async play(stage, expectations) {
      await within(stage.connect(), 'a connect that the user approves must resolve', expectations)
      await stage.keybay.disconnect(expectations.id)
      await settle()
      const { forged } = stage
      demand(
        !forged.length,
        `a connector must not emit the kernel’s events, but it emitted ${[...new Set(forged)]}: return the result, and the kernel emits them`,
      )
    },
  }),
]
