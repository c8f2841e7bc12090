/** Sign checks: the wallet signs the requested bytes with the key of the address that it shows. */
import { check } from './check.js'
import type { ConnectorCheck } from './expectations.js'
import { verifies } from './keys.js'
import { demand, within } from './stage.js'

const MESSAGE = 'Keybay conformance: sign this text'

export const signChecks: readonly ConnectorCheck[] = [
  check({
    name: 'sign: a message is signed by the account that was asked',
    kind: 'wallet',
    async play(stage, expectations) {
      const { connector, keybay } = stage
      const feature = connector.kind === 'wallet' ? connector.wallet.features['solana:signMessage'] : undefined
      await within(stage.connect(), 'a connect that the user approves must resolve', expectations)
      const account = keybay.connections
        .get(expectations.id)
        ?.accounts.find(({ features }) => features.includes('solana:signMessage'))
      if (!feature || !account) return
      const message = new TextEncoder().encode(MESSAGE)
      const signed = await within(
        feature.signMessage({ account, message }),
        'a message that the user approves must be signed',
        expectations,
      )
      const first = signed[0]
      demand(first && signed.length === 1, `one message must have one answer, not ${signed.length}`)
      const { signedMessage, signature } = first
      // Some wallets prefix the message.
      demand(new TextDecoder().decode(signedMessage).endsWith(MESSAGE), 'signedMessage must hold the message')
      demand(signature.length === 64, `a signature must be of 64 bytes, not ${signature.length}`)
      demand(
        await verifies(account.publicKey, signature, signedMessage),
        'the signature must be the account’s own, over signedMessage',
      )
    },
  }),
]
