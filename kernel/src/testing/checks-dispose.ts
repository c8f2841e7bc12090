/** Dispose checks: the connector leaves nothing behind and ignores later responses. */
import { disposed, isKeybayError } from '../spec/errors.js'
import { check } from './check.js'
import type { ConnectorCheck } from './expectations.js'
import { settle } from './fake-clock.js'
import { demand, rejection, within } from './stage.js'

export const disposeChecks: readonly ConnectorCheck[] = [
  check({
    name: 'dispose: leaves no listener, timer or element',
    async play(stage, expectations) {
      await within(stage.connect(), 'a connect that the user approves must resolve', expectations)
      stage.keybay.dispose()
      await settle()
      const left = stage.world.left()
      demand(
        !left.length,
        `dispose must take everything with it, but there stays: ${left}. Remove it in kernel.onDispose`,
      )
      demand(!stage.clock.pending(), `dispose must stop all timers, but ${stage.clock.pending()} still wait`)
    },
  }),
  check({
    name: 'dispose: an attempt under way is rejected',
    async play(stage, expectations) {
      const rejected = rejection(stage.connect(), 'a connect must be rejected by dispose', expectations)
      stage.keybay.dispose()
      const error = await rejected
      demand(isKeybayError(error, disposed), `the error must be ${disposed.code}: ${String(error)}`)
    },
  }),
  check({
    name: 'dispose: a late answer is ignored',
    needs: 'is-away',
    async play(stage, expectations) {
      const { clock, events, keybay, scene } = stage
      const rejected = rejection(stage.connect(), 'a connect must be rejected by dispose', expectations)
      await clock.advance(1)
      keybay.dispose()
      await rejected
      const count = events.length
      await scene.comesBack?.()
      await clock.advance(1000)
      demand(!stage.isIn, 'a response after dispose must connect nothing')
      const names = events.slice(count).flatMap(({ name }) => (name === 'log' ? [] : name))
      demand(!names.length, `an answer after dispose must cause no event: ${names}`)
      demand(!keybay.connectors.list().length, 'no connector must come back after dispose')
    },
  }),
]
