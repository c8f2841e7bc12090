/** Checks of a connected wallet: account changes, disconnect, page reload. */
import { aborted, isKeybayError } from '../spec/errors.js'
import { check } from './check.js'
import type { ConnectorCheck } from './expectations.js'
import { settle } from './fake-clock.js'
import { demand, rejection, until, within } from './stage.js'

function getAddresses(accounts: readonly { readonly address: string }[] = []) {
  return accounts.map(({ address }) => address).join()
}

export const connectedChecks: readonly ConnectorCheck[] = [
  check({
    name: 'accounts: a switch in the wallet arrives',
    kind: 'wallet',
    needs: 'switches-account',
    async play(stage, expectations) {
      const { keybay, scene } = stage
      demand(scene.switchesAccount, 'createConnector must set scene.switchesAccount')
      await within(stage.connect(), 'a connect that the user approves must resolve', expectations)
      const now = () => getAddresses(keybay.connections.get(expectations.id)?.accounts)
      const before = now()
      await scene.switchesAccount()
      await until(() => now() !== before, 'a switched account must arrive', expectations)
      demand(now(), 'a switched account must not close the connection')
    },
  }),
  check({
    name: 'accounts: before a connect a switch causes nothing',
    kind: 'wallet',
    needs: 'switches-account',
    async play({ keybay, scene, events }, { id }) {
      const list = keybay.connectors.list()
      const count = events.length
      await scene.switchesAccount?.()
      await settle()
      demand(!keybay.connections.get(id), 'a wallet must not connect by itself')
      demand(
        keybay.connectors.list() === list,
        'an account of a wallet that is not connected must not change the list of connectors',
      )
      const names = events.slice(count).flatMap(({ name }) => (name === 'log' ? [] : name))
      demand(!names.length, `an account of a wallet that is not connected must cause no event: ${names}`)
    },
  }),
  check({
    name: 'disconnect: closes the connection, and the next connect works',
    kind: 'wallet',
    async play(stage, expectations) {
      const { keybay } = stage
      await within(stage.connect(), 'a connect that the user approves must resolve', expectations)
      await within(
        keybay.disconnect(expectations.id).catch((error: unknown) => {
          demand(false, `a disconnect must not be rejected: ${String(error)}`)
        }),
        'a disconnect must resolve',
        expectations,
      )
      await settle()
      demand(!keybay.connections.get(expectations.id), 'a disconnect must close the connection')
      await within(stage.connect(), 'a connect after a disconnect must resolve', expectations)
    },
  }),
  check({
    name: 'disconnect: in flight, connects nothing',
    async play(stage, expectations) {
      const attempt = stage.connect()
      const rejected = rejection(attempt, 'a connect must be rejected by a disconnect', expectations)
      await stage.keybay.disconnect(expectations.id)
      const error = await rejected
      demand(isKeybayError(error, aborted), `the error must be ${aborted.code}: ${String(error)}`)
      await stage.clock.advance(1000)
      demand(!stage.isIn, 'a connect that a disconnect ended must connect nothing')
      await within(stage.connect(), 'a connect after that must resolve', expectations)
    },
  }),
  check({
    name: 'reconnect: after a reload, without the user',
    kind: 'wallet',
    when: ({ reconnects = true }) => reconnects,
    async play(stage, expectations) {
      await within(stage.connect(), 'a connect that the user approves must resolve', expectations)
      const { id } = expectations
      const before = getAddresses(stage.keybay.connections.get(id)?.accounts)
      const { keybay, events } = await stage.reload()
      await until(() => keybay.connections.get(id), 'a wallet must reconnect silently after a reload', expectations)
      const after = getAddresses(keybay.connections.get(id)?.accounts)
      demand(after === before, `the accounts after a reload must be ${before}, not ${after}`)
      demand(!events.some(({ name }) => name === 'prompt:opened'), 'a reconnect must ask nothing')
    },
  }),
  check({
    name: 'preload: brings the code, and changes nothing',
    async play(stage, expectations) {
      const { connector, keybay } = stage
      if (!connector.preload) return
      const list = keybay.connectors.list()
      await within(connector.preload(), 'a preload must resolve', expectations)
      await settle()
      demand(!stage.isIn && keybay.connectors.list() === list, 'a preload must change nothing that a user sees')
      demand(!keybay.prompts.list().length, 'a preload must ask nothing')
    },
  }),
]
