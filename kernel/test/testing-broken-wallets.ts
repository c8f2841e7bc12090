/** Wallets with one fault each, and the check that must find it. */
import { internal, KeybayError } from '../src/index.js'
import { mockWallet } from '../src/testing/index.js'
import { type Broken, brokenWallet, connectWith, refusingWith, withFeature } from './testing-break.js'

const circle: Record<string, unknown> = {}
circle.self = circle
let made = 0

export const brokenWallets: readonly Broken[] = [
  brokenWallet(
    'its id changes with every page',
    'id: well-formed, unique, and the same after a reload',
    'there must be a connector “mock”',
    () => {
      made++
      return { id: made % 2 ? 'mock' : `mock-${made}` }
    },
  ),
  brokenWallet('its name turns the text around', 'name: readable text', 'must not control the text', () => ({
    name: '\u202Ekcom',
  })),
  brokenWallet('its icon is fetched from afar', 'icon: a data URL of an image', 'must be a data URL', () => ({
    icon: 'https://example.com/icon.png',
  })),
  brokenWallet(
    'it is not installed and says not where to get it',
    'readiness: a known value, and where to get it if it is not installed',
    'must say where to get it',
    () => ({ readiness: 'not-installed' }),
  ),
  brokenWallet('it listens to the page before its first use', 'setup: only builds', 'window message', () => {
    window.addEventListener('message', () => {})
    return {}
  }),
  brokenWallet(
    'a feature lacks its method',
    'wallet: the shape of Wallet Standard',
    'solana:signMessage must have the method signMessage',
    mock => withFeature(mock, 'solana:signMessage', () => ({ signMessage: undefined })),
  ),
  brokenWallet(
    'its account promises what the wallet lacks',
    'connect: a wallet gives accounts',
    'must not promise what the wallet lacks: solana:signIn',
    mock => connectWith(mock, accounts => accounts.map(account => ({ ...account, features: ['solana:signIn'] }))),
  ),
  brokenWallet(
    'it opens a window when it should be silent',
    'connect: silent shows nothing',
    'must open no window',
    mock => ({
      async connect({ silent }) {
        window.open('about:blank')
        return (await mock.wallet.features['standard:connect']?.connect({ silent }))?.accounts ?? []
      },
    }),
  ),
  brokenWallet(
    'it takes a silent connect for a loud one',
    'connect: silent does not wait for the user',
    'must settle while the user is away',
    mock =>
      withFeature(mock, 'standard:connect', old => ({
        connect: async () => (await old?.connect()) ?? { accounts: [] },
      })),
  ),
  brokenWallet(
    'it signs with another key',
    'sign: messages are signed by the account that was asked',
    'the signature must be the account’s own',
    mock =>
      withFeature(mock, 'solana:signMessage', old => ({
        signMessage: async (...inputs) =>
          ((await old?.signMessage(...inputs)) ?? []).map(output => ({
            ...output,
            signature: output.signature.map(b => b ^ 1),
          })),
      })),
  ),
  brokenWallet(
    'it signs another message',
    'sign: messages are signed by the account that was asked',
    'signedMessage must hold the message',
    mock =>
      withFeature(mock, 'solana:signMessage', old => ({
        signMessage: async (...inputs) =>
          (await old?.signMessage(...inputs.map(input => ({ ...input, message: new Uint8Array(9) })))) ?? [],
      })),
  ),
  brokenWallet(
    'it hides a password in the cause of its error',
    'errors: serialisable, and with no secret',
    'a secret must not leave',
    mock => refusingWith(mock, new KeybayError(internal, { cause: new Error('hunter2') })),
  ),
  brokenWallet(
    'it does not hear the signal',
    'cancel: the connector hears the signal',
    'aborted before it began must be rejected',
    mock => ({
      connect: async ({ silent }) =>
        (await mock.wallet.features['standard:connect']?.connect({ silent }))?.accounts ?? [],
    }),
  ),
  brokenWallet(
    'it words a refusal as a failure',
    'refusal: is user_rejected',
    'the code must be user_rejected, not internal',
    mock => refusingWith(mock, new Error('Something went wrong')),
  ),
  // The kernel cleans foreign errors; one that is ours already stays as the connector made it.
  brokenWallet('it tells a key in its error', 'errors: serialisable, and with no secret', 'looks like a key', mock =>
    refusingWith(mock, new KeybayError(internal, { detail: '4'.repeat(88) })),
  ),
  brokenWallet(
    'it tells a password in its error',
    'errors: serialisable, and with no secret',
    'a secret must not leave',
    mock => refusingWith(mock, new Error('Failed with hunter2')),
  ),
  brokenWallet(
    'its error goes round in a circle',
    'errors: serialisable, and with no secret',
    'an error must survive JSON',
    mock => refusingWith(mock, new KeybayError(internal, { details: circle })),
  ),
  brokenWallet(
    'it does not wait for a user',
    'time-out: a user who is away is waited for no longer than configured',
    'must wait while the user is away',
    mock =>
      withFeature(mock, 'standard:connect', old => ({
        connect: async input => {
          if (mock.fault === 'never-answers') throw new Error('No answer')
          return (await old?.connect(input)) ?? { accounts: [] }
        },
      })),
  ),
  brokenWallet(
    'it keeps a switched account to itself',
    'accounts: a switch in the wallet arrives',
    'a switched account must arrive',
    mock => withFeature(mock, 'standard:events', () => ({ on: () => () => {} })),
  ),
  brokenWallet(
    'its accounts change the list before a connect',
    'accounts: before a connect a switch causes nothing',
    'must not change the list',
    (mock, kernel) => {
      mock.wallet.features['standard:events']?.on('change', () => kernel.connectors.update('mock', {}))
      return {}
    },
  ),
  brokenWallet(
    'it disconnects only once',
    'disconnect: closes the connection, and the next connect works',
    'Account not found',
    mock => {
      let left = false
      return {
        disconnect: async () => {
          left = true
        },
        ...connectWith(mock, accounts => (left ? [] : accounts)),
      }
    },
  ),
  brokenWallet(
    'it forgets whom it trusted',
    'reconnect: after a reload, without the user',
    'must reconnect silently',
    mock =>
      withFeature(mock, 'standard:connect', old => ({
        connect: async input => (input?.silent ? { accounts: [] } : ((await old?.connect(input)) ?? { accounts: [] })),
      })),
  ),
  brokenWallet(
    'its preload never ends',
    'preload: brings the code, and changes nothing',
    'a preload must resolve',
    () => ({ preload: () => new Promise(() => {}) }),
  ),
  brokenWallet(
    'it chokes on an address',
    'claims: synchronous, and never throws or claims what is not its own',
    'claims must not throw for https://example.com/?a=%E0',
    () => ({ claims: url => decodeURIComponent(url.search) === '?mock' }),
  ),
  brokenWallet(
    'it leaves a timer',
    'dispose: leaves no listener, timer or element',
    '1 still wait',
    (mock, kernel) => ({
      async connect({ silent, signal }) {
        const answer = await mock.wallet.features['standard:connect']?.connect({ silent })
        signal.throwIfAborted()
        kernel.clock.after(60_000, () => {})
        return answer?.accounts ?? []
      },
    }),
  ),
  brokenWallet(
    'it comes back from the dead',
    'dispose: a late answer is ignored',
    'no connector must come back',
    (mock, kernel) => ({
      async connect({ silent, signal }) {
        const answer = await mock.wallet.features['standard:connect']?.connect({ silent })
        if (signal.aborted) kernel.connectors.add({ ...mock.connector, id: 'again', wallet: mockWallet().wallet })
        signal.throwIfAborted()
        return answer?.accounts ?? []
      },
    }),
  ),
]
