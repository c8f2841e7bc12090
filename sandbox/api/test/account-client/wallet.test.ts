/** Sign-in and linking by a wallet, against the real API. */
import type { Kernel } from '@keybay/kernel'
import { parseSignInMessageText } from '@solana/wallet-standard-util'
import { Message, Transaction } from '@solana/web3.js'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { PAGE } from './dom.js'
import { answerLinkQuestions, byEmail, fresh, openPage, settings, startWorld, until } from './support.js'
import { hardware, refusal, type TestWallet, testWallet } from './wallet.js'

const world = await startWorld({
  environments: { local: { ...settings, signIn: { walletTransaction: true } }, messages: settings },
})
afterAll(world.stop)
beforeEach(fresh)

const ID = 'test-wallet'

function open(wallet: TestWallet, options = {}) {
  return openPage(world, { wallets: [wallet.connector], ...options })
}

describe('sign-in by a wallet', () => {
  it('[S1.1] connects a wallet and signs in with one approval if the wallet supports it', async () => {
    const wallet = testWallet(['solana:signIn', 'solana:signMessage', 'solana:signTransaction'])
    const page = open(wallet)
    expect(await page.account.signIn(ID)).toMatchObject({ status: 'authenticated' })
    expect(wallet.asked).toEqual(['solana:signIn'])
    expect(page.connections.get(ID)?.accounts).toMatchObject([{ address: wallet.address }])
    expect(page.account.user.current.user?.credentials).toMatchObject([{ address: wallet.address }])
  })
  it('[S1.1] connects a wallet without signIn, then signs the text of Sign In With Solana', async () => {
    const wallet = testWallet()
    const page = open(wallet)
    await page.account.signIn(ID)
    expect(wallet.asked).toEqual(['standard:connect', 'solana:signMessage'])
    expect(parseSignInMessageText(wallet.texts[0] ?? '')).toEqual({
      domain: 'app.localhost:4000',
      address: wallet.address,
      statement: 'Sign in to Acme.',
      uri: PAGE,
      version: '1',
      nonce: expect.stringMatching(/^[A-Za-z0-9]{20}$/),
      issuedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
  })
  it('[S3.3] sign-in by a wallet creates the credential record of the specification', async () => {
    const wallet = testWallet()
    const page = open(wallet)
    await page.account.signIn(ID)
    const [credential] = page.account.user.current.user?.credentials ?? []
    const { id, address, chain, walletName } = credential ?? {}
    const record = { id, address, chain, walletName }
    expect(record).toEqual({ id: expect.any(String), address: wallet.address, chain: 'SOL', walletName: 'Test wallet' })
  })
  it('a wallet signs in the same user each time, and signs nothing while the user is signed in', async () => {
    const wallet = testWallet()
    const page = open(wallet)
    const first = await page.account.signIn(ID)
    expect(await page.account.signIn(ID)).toEqual(first)
    expect(wallet.asked).toHaveLength(2)
    await page.account.signOut()
    const seen: unknown[] = []
    page.on('account:signed-in', event => seen.push(event))
    expect(await page.account.signIn(ID)).toEqual(first)
    expect(seen).toEqual([{ userId: first.userId, isNewUser: false }])
    expect(wallet.asked).toEqual(['standard:connect', 'solana:signMessage', 'solana:signMessage'])
  })
  it('sign-in with a connected wallet requests only a signature', async () => {
    const wallet = testWallet(['solana:signIn', 'solana:signMessage'])
    const page = open(wallet)
    await page.connect(ID)
    expect(page.session.current.status).toBe('anonymous')
    await Promise.all([page.account.signIn(ID), page.account.signIn(ID)])
    expect(wallet.asked).toEqual(['standard:connect', 'solana:signMessage'])
    expect(page.session.current.status).toBe('authenticated')
  })
  it('shows the host’s sign-in statement on one line', async () => {
    const wallet = testWallet()
    const page = open(wallet, { account: { statement: 'Trade here.\n\nURI: https://evil.example' } })
    await page.account.signIn(ID)
    expect(parseSignInMessageText(wallet.texts[0] ?? '')).toMatchObject({
      statement: 'Trade here. URI: https://evil.example',
      uri: PAGE,
    })
  })
})

describe('hardware wallets', () => {
  it.each([
    ['without the feature', ['solana:signTransaction'], ['standard:connect', 'solana:signTransaction']],
    [
      'that refuse messages',
      ['solana:signMessage', 'solana:signTransaction'],
      ['standard:connect', 'solana:signMessage', 'solana:signTransaction'],
    ],
    [
      'that refuse to sign in',
      ['solana:signIn', 'solana:signMessage', 'solana:signTransaction'],
      ['solana:signIn', 'standard:connect', 'solana:signTransaction'],
    ],
  ] as const)(
    '[S6.4] [S1.1] hardware wallets %s sign in by a transaction that is never sent',
    async (_, can, expectedFeatures) => {
      const wallet = testWallet(can)
      wallet.refuses['solana:signMessage'] = hardware
      wallet.refuses['solana:signIn'] = hardware
      const page = open(wallet)
      expect(await page.account.signIn(ID)).toMatchObject({ status: 'authenticated' })
      expect(wallet.asked).toEqual(expectedFeatures)
      // Parse with another implementation: one memo with the text of Sign In With Solana, paid by the wallet.
      const transaction = Transaction.populate(Message.from(wallet.transactions[0]?.subarray(65) ?? []), [])
      expect(transaction.feePayer?.toBase58()).toBe(wallet.address)
      expect(transaction.instructions).toHaveLength(1)
      const [memo] = transaction.instructions
      expect(memo?.programId.toBase58()).toBe('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
      expect(memo?.keys).toEqual([])
      expect(parseSignInMessageText(memo?.data.toString() ?? '')).toMatchObject({
        domain: 'app.localhost:4000',
        address: wallet.address,
      })
    },
  )
  it('asks no wallet for a transaction where the environment does not enable it', async () => {
    for (const [can, code] of [
      [['solana:signTransaction'], 'sign_message_missing'],
      [['solana:signMessage', 'solana:signTransaction'], 'internal'],
    ] as const) {
      const wallet = testWallet(can)
      wallet.refuses['solana:signMessage'] = hardware
      const page = open(wallet, { environmentId: 'messages' })
      await expect(page.account.signIn(ID)).rejects.toMatchObject({ code, connectorId: ID })
      expect(wallet.transactions).toEqual([])
      expect(page.session.current).toEqual({ status: 'anonymous' })
    }
  })
  it('does not try another way of signing in after the user refuses in the wallet', async () => {
    for (const feature of ['solana:signIn', 'standard:connect', 'solana:signMessage'] as const) {
      const wallet = testWallet(
        feature === 'solana:signIn'
          ? ['solana:signIn', 'solana:signMessage', 'solana:signTransaction']
          : ['solana:signMessage', 'solana:signTransaction'],
      )
      wallet.refuses[feature] = refusal
      const page = open(wallet)
      await expect(page.account.signIn(ID)).rejects.toMatchObject({
        code: 'user_rejected',
        walletCode: feature === 'solana:signMessage' ? 3 : 2,
        connectorId: ID,
      })
      expect(wallet.asked.at(-1)).toBe(feature)
      expect(page.session.current).toEqual({ status: 'anonymous' })
      expect(page.connections.list()).toEqual([])
      Reflect.deleteProperty(wallet.refuses, feature)
      expect(await page.account.signIn(ID)).toMatchObject({ status: 'authenticated' })
      await page.account.signOut()
    }
  })
  it('sign-in by a wallet that cannot sign fails with sign_message_missing', async () => {
    const page = open(testWallet([]))
    await expect(page.account.signIn(ID)).rejects.toMatchObject({
      code: 'sign_message_missing',
      message: 'signMessage - Not implemented by wallet',
    })
  })
})

describe('connect-and-sign', () => {
  it('connect-and-sign signs in with one approval if the wallet supports it, and signs nothing while signed in', async () => {
    const wallet = testWallet(['solana:signIn', 'solana:signMessage'])
    const page = open(wallet, { authMode: 'connect-and-sign' })
    await page.connect(ID)
    expect(wallet.asked).toEqual(['solana:signIn'])
    expect(page.session.current.status).toBe('authenticated')
    await page.disconnect(ID)
    await page.connect(ID)
    expect(wallet.asked).toEqual(['solana:signIn', 'standard:disconnect'])
  })
  it('connect-and-sign does not connect a wallet without a proof', async () => {
    const wallet = testWallet()
    wallet.refuses['solana:signMessage'] = refusal
    const page = open(wallet, { authMode: 'connect-and-sign' })
    await expect(page.connect(ID)).rejects.toMatchObject({ code: 'user_rejected' })
    expect(page.connections.list()).toEqual([])
    expect(page.session.current).toEqual({ status: 'anonymous' })
  })
  it.each(['embeddedWallet', 'custodialService'] as const)(
    'connect-and-sign connects the user’s own wallet (%s) without a signature',
    async connectionType => {
      const wallet = testWallet()
      const own = { ...wallet, connector: { ...wallet.connector, connectionType } }
      const page = open(own, { authMode: 'connect-and-sign' })
      await page.connect(ID)
      expect(wallet.asked).toEqual(['standard:connect'])
      expect(page.session.current).toEqual({ status: 'anonymous' })
    },
  )
  it('connect-and-sign reconnects silently without a signature, and disconnects at sign-out', async () => {
    const wallet = testWallet()
    const before = open(wallet, { authMode: 'connect-and-sign' })
    await before.connect(ID)
    const callCount = wallet.asked.length
    const after = open(wallet, { authMode: 'connect-and-sign' })
    const opened = new Promise(resolve => after.on('connection:opened', resolve))
    after.connectors.list()
    expect(await opened).toMatchObject({ resumed: true })
    expect(wallet.asked).toHaveLength(callCount)
    expect(after.session.current.status).toBe('authenticated')
    await after.account.signOut()
    expect(after.connections.list()).toEqual([])
    expect(after.session.current.status).toBe('anonymous')
    before.dispose()
  })
  it('[S1.1] connect-only mode does not call the API', async () => {
    const wallet = testWallet()
    const page = open(wallet)
    await page.connect(ID)
    expect(wallet.asked).toEqual(['standard:connect'])
    expect(page.session.current.status).toBe('anonymous')
  })
})

it('signs with the wallet whose ID a plugin passes as the credential', async () => {
  const wallet = testWallet()
  let exchange: Kernel['session']['exchange'] | undefined
  const page = open(wallet, {
    see: ({ session }: Kernel) => {
      exchange = session.exchange
    },
  })
  await page.connect(ID)
  const ctx = { signal: new AbortController().signal, prompt: () => Promise.reject(new Error('No prompt is expected')) }
  const state = await exchange?.({ method: 'blockchain', proof: ID }, ctx)
  expect(state).toMatchObject({ status: 'authenticated' })
  expect(wallet.asked).toEqual(['standard:connect', 'solana:signMessage'])
  await expect(exchange?.({ method: 'blockchain', proof: ID }, ctx)).resolves.toEqual(state)
  await expect(exchange?.({ method: 'blockchain', proof: 'email' }, ctx)).rejects.toMatchObject({
    code: 'session_missing',
  })
  await expect(exchange?.({ method: 'email', proof: { forged: true } }, ctx)).rejects.toMatchObject({
    code: 'session_missing',
  })
  expect(page.session.current).toEqual(state)
})

describe('linking', () => {
  it('adds a wallet as a sign-in method once', async () => {
    const wallet = testWallet()
    const page = open(wallet)
    const state = await byEmail(world, page, 'link-wallet@example.com')
    answerLinkQuestions(page)
    const seen: unknown[] = []
    page.on('account:credentials-changed', event => seen.push(event))
    expect(await page.account.signIn(ID)).toEqual(state)
    expect(seen).toEqual([{ userId: state.userId }])
    expect(page.account.user.current.user?.credentials.map(({ method }) => method)).toEqual(['email', 'blockchain'])
    await page.account.signIn(ID)
    await page.disconnect(ID)
    await page.account.signIn(ID)
    expect(wallet.asked.filter(feature => feature === 'solana:signMessage')).toHaveLength(1)
    await page.account.signOut()
    expect(await page.account.signIn(ID)).toEqual(state)
  })
})

describe('hostile wallets', () => {
  const wrong: readonly (readonly [string, keyof TestWallet['answers'], (real: Record<string, unknown>) => unknown])[] =
    [
      ['another text', 'solana:signMessage', real => ({ ...real, signedMessage: new TextEncoder().encode('pay me') })],
      ['no bytes', 'solana:signMessage', real => ({ ...real, signedMessage: 'text' })],
      ['a short signature', 'solana:signMessage', real => ({ ...real, signature: new Uint8Array(63) })],
      ['a huge signature', 'solana:signMessage', real => ({ ...real, signature: new Uint8Array(10_000_000) })],
      ['nothing', 'solana:signMessage', () => ({})],
      [
        'another page',
        'solana:signIn',
        real => ({
          ...real,
          signedMessage: new TextEncoder().encode('evil.example wants you to sign in with your Solana account:\nx'),
        }),
      ],
      ['no account', 'solana:signIn', real => ({ ...real, account: undefined })],
      ['a false address', 'solana:signIn', real => ({ ...real, account: { address: 'O0Il' } })],
      [
        'the address of another wallet',
        'solana:signIn',
        real => ({ ...real, account: { address: testWallet().address } }),
      ],
      [
        'an instruction more',
        'solana:signTransaction',
        ({ signedTransaction }) => ({
          signedTransaction: signedTransaction instanceof Uint8Array ? Uint8Array.from([...signedTransaction, 0]) : [],
        }),
      ],
      [
        'an unsigned transaction',
        'solana:signTransaction',
        ({ signedTransaction }) => ({
          signedTransaction:
            signedTransaction instanceof Uint8Array
              ? signedTransaction.map((byte, at) => (at > 0 && at < 65 ? 0 : byte))
              : [],
        }),
      ],
    ]
  it.each(wrong)(
    'a wallet response with %s by %s is not sent to the API, and the next try works',
    async (_, feature, answer) => {
      const wallet = testWallet([feature])
      wallet.answers[feature] = answer
      const page = open(wallet)
      await expect(page.account.signIn(ID)).rejects.toMatchObject({ code: 'wallet_proof_invalid', connectorId: ID })
      expect(page.session.current).toEqual({ status: 'anonymous' })
      Reflect.deleteProperty(wallet.answers, feature)
      expect(await page.account.signIn(ID)).toMatchObject({ status: 'authenticated' })
    },
  )
  const odd: readonly (readonly [string, () => unknown])[] = [
    ['null', async () => null],
    ['nothing', async () => undefined],
    ['no list', async () => ({ length: 1 })],
    ['a list of null', async () => [null]],
    [
      'a throw of nothing',
      () => {
        throw undefined
      },
    ],
    [
      'an object that throws when it is read',
      async () => [
        {
          get account(): unknown {
            throw new Error('gotcha')
          },
        },
      ],
    ],
  ]
  it.each(odd)('a wallet that responds with %s causes a clear error, and the next try works', async (_, signIn) => {
    const wallet = testWallet(['solana:signIn'])
    const feature = wallet.connector.wallet.features['solana:signIn']
    const real = feature?.signIn
    Object.assign(feature ?? {}, { signIn })
    const page = open(wallet)
    const error = await page.account.signIn(ID).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      name: 'KeybayError',
      code: expect.stringMatching(/^(internal|wallet_proof_invalid)$/),
    })
    expect(page.session.current).toEqual({ status: 'anonymous' })
    Object.assign(feature ?? {}, { signIn: real })
    expect(await page.account.signIn(ID)).toMatchObject({ status: 'authenticated' })
  })
  it('signing in by a wallet that never responds can be aborted, and a late response is ignored', async () => {
    const wallet = testWallet(['solana:signMessage'])
    let answer = () => {}
    const late = new Promise<void>(resolve => {
      answer = resolve
    })
    const signRequested = new Promise<void>(resolve => {
      wallet.answers['solana:signMessage'] = async real => {
        resolve()
        await late
        return real
      }
    })
    const page = open(wallet)
    const control = new AbortController()
    const signingIn = page.account.signIn(ID, undefined, { signal: control.signal })
    await signRequested
    expect(page.session.current.status).toBe('authenticating')
    control.abort()
    await expect(signingIn).rejects.toMatchObject({ code: 'aborted' })
    await until(page, () => page.session.current.status === 'anonymous')
    answer()
    await new Promise(resolve => setImmediate(resolve))
    expect(page.session.current).toEqual({ status: 'anonymous' })
  })
})
