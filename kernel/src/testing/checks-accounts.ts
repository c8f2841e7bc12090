/** Checks of the accounts that a wallet reports, and of what stays after a disconnect. */
import type { WalletAccount } from '@wallet-standard/base'
import { check } from './check.js'
import type { ConnectorCheck, Expectations } from './expectations.js'
import { settle } from './fake-clock.js'
import { base58 } from './keys.js'
import { demand, type Stage, within } from './stage.js'

async function connect(stage: Stage, expectations: Expectations) {
  await within(stage.connect(), 'a connect that the user approves must resolve', expectations)
  const { connector, keybay } = stage
  demand(connector.kind === 'wallet', 'the connector must be a wallet')
  return { wallet: connector.wallet, accounts: keybay.connections.get(expectations.id)?.accounts ?? [] }
}

function isSolana({ chains }: Pick<WalletAccount, 'chains'>) {
  return chains.every(chain => chain.startsWith('solana:'))
}

export const accountChecks: readonly ConnectorCheck[] = [
  check({
    name: 'accounts: each address is its public key, on a chain of the wallet, and listed once',
    kind: 'wallet',
    async play(stage, expectations) {
      const { accounts, wallet } = await connect(stage, expectations)
      for (const account of accounts) {
        const { address, chains, publicKey } = account
        if (isSolana(account)) {
          const key = Uint8Array.from(publicKey)
          demand(key.length === 32, `${address}: publicKey must be of 32 bytes, not ${key.length}`)
          const expected = base58(key)
          demand(address === expected, `the address must be publicKey in base58, ${expected}, not ${address}`)
        }
        const foreign = chains.filter(chain => !wallet.chains.includes(chain))
        demand(
          !foreign.length,
          `${address} is on ${foreign}, which wallet.chains lacks: list it there, or leave it out`,
        )
      }
      const addresses = accounts.map(({ address }) => address)
      demand(new Set(addresses).size === addresses.length, `an account must be listed once, not twice: ${addresses}`)
    },
  }),
  check({
    name: 'accounts: wallet.accounts holds them after a connect',
    kind: 'wallet',
    async play(stage, expectations) {
      const { accounts, wallet } = await connect(stage, expectations)
      const listed = wallet.accounts.map(({ address }) => address)
      const missing = accounts.map(({ address }) => address).filter(address => !listed.includes(address))
      demand(
        !missing.length,
        `wallet.accounts must hold ${missing} after a connect, but holds ${listed.length ? listed : 'nothing'}`,
      )
    },
  }),
  check({
    name: 'disconnect: reaches the wallet',
    kind: 'wallet',
    async play(stage, expectations) {
      const { wallet } = await connect(stage, expectations)
      const { connector, keybay } = stage
      if (connector.kind === 'wallet' && !connector.disconnect && !wallet.features['standard:disconnect']) return
      await within(keybay.disconnect(expectations.id), 'a disconnect must resolve', expectations)
      await settle()
      demand(
        !wallet.accounts.length,
        `wallet.accounts must be empty after a disconnect, not ${wallet.accounts.map(({ address }) => address)}: end the wallet’s session in disconnect`,
      )
    },
  }),
  check({
    name: 'events: off ends the listening',
    kind: 'wallet',
    async play(stage, expectations) {
      const { connector, keybay, scene } = stage
      const events = connector.kind === 'wallet' ? connector.wallet.features['standard:events'] : undefined
      let calls = 0
      const off = events?.on('change', () => {
        calls++
      })
      demand(typeof off === 'function', 'standard:events on must return a function that ends the listening')
      off()
      await connect(stage, expectations)
      await scene.switchesAccount?.()
      await within(keybay.disconnect(expectations.id), 'a disconnect must resolve', expectations)
      await settle()
      demand(!calls, `a listener must not be called after off, but was called ${calls} times: remove it in off`)
    },
  }),
]
