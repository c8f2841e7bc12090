// @vitest-environment happy-dom
import { accountNotFound, errorSpec, KeybayError, userRejected } from '@keybay/kernel'
import { describe, expect, it } from 'vitest'
import { requestHashOf } from '../../src/protocol/factor.js'
import { consentRequired, mfaRequired, operationOf, passkeyUnproved } from '../../src/protocol/index.js'
import { connectAccount, createContainer, iframes, open, until } from './kit.js'
import { standInWallet } from './stand-in-wallet.js'

const address = standInWallet.accountAddress
const ethereum = { accountAddress: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB', chainName: 'EVM' } as const

it('emits progress, and lists a new wallet as an account', async () => {
  const made = { ...standInWallet, walletId: 'w2', accountAddress: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' }
  const { keybay, events, received } = open({
    getWallets: () => [standInWallet],
    createWalletAccount(_, { progress }) {
      progress({ step: 'deal', number: 1, of: 3 })
      return { wallet: made }
    },
  })
  await keybay.connect('waas')
  const { wallet } = await keybay.waas.createWallet({ exportable: false })
  expect(wallet.accountAddress).toBe(made.accountAddress)
  await until(() => keybay.connections.get('waas')?.accounts.length === 2)
  expect(events).toContainEqual([
    'waas:progress',
    { operation: 'createWalletAccount', address: undefined, step: 'deal', number: 1, of: 3 },
  ])
  expect(received.at(-1)?.[2]).toMatchObject({
    thresholdSignatureScheme: 'TWO_OF_THREE', // the environment's
    exportable: false,
    idempotencyKey: expect.any(String),
  })
})

it('emits the operation, each message and each relay request with their ends, and nothing of the request', async () => {
  const relay = { path: '/wallets/w1/refresh', ms: 12, status: 200 }
  const { keybay, events } = open({
    refreshWalletAccountShares({ signedMfa, password }, { progress }) {
      progress({ step: 'relay', number: 1, of: 1, relay })
      if (signedMfa === undefined) throw new KeybayError(consentRequired)
      if (password !== 'a secret password') throw new Error('the password is missing')
      throw new KeybayError(accountNotFound)
    },
  })
  await expect(keybay.waas.refresh(address, { password: 'a secret password' })).rejects.toThrow()
  const emitted = events.filter(([name]) => /^waas:(operation|message|relay|progress)$/.test(name))
  const operation = { operationId: expect.any(String), operation: 'refreshWalletAccountShares', address }
  const [hidden, visible] = [
    { ...operation, view: 'hidden' },
    { ...operation, view: 'visible' },
  ]
  const round = ['waas:relay', { ...relay, operationId: operation.operationId }]
  expect(emitted).toEqual([
    ['waas:operation', { ...operation, state: 'started' }],
    ['waas:message', { ...hidden, state: 'sent' }],
    round,
    ['waas:message', { ...hidden, state: 'failed', errorCode: 'consent_required' }],
    ['waas:message', { ...visible, state: 'sent' }],
    round,
    ['waas:message', { ...visible, state: 'failed', errorCode: 'account_not_found' }],
    ['waas:operation', { ...operation, state: 'failed', errorCode: 'account_not_found' }],
  ])
  expect(new Set(emitted.map(([, event]) => Object(event).operationId)).size).toBe(1)
  expect(JSON.stringify(events)).not.toMatch(/a secret password|signed mfa/)
})

it('sends a request to the visible frame for a factor that the frame supports, with a statement of the session key', async () => {
  const details = { action: 'wallet.waas.refresh', requestHash: 'hash', devices: [{ method: 'totp' }] }
  const { keybay, proved, signed, received } = open({
    refreshWalletAccountShares({ signedMfa }) {
      if (signedMfa === undefined) throw new KeybayError(mfaRequired, { details })
      return { wallet: standInWallet }
    },
  })
  await keybay.waas.refresh(address)
  expect(proved).toEqual([])
  const refresh = await operationOf('refreshWalletAccountShares', { chainName: 'SOL', accountAddress: address })
  expect(signed).toContainEqual({ operation: 'mfa', hash: await requestHashOf(refresh) })
  const refreshes = received.filter(([, type]) => type === 'refreshWalletAccountShares')
  expect(refreshes.map(([view]) => view)).toEqual(['hidden', 'visible'])
  expect(refreshes.at(-1)?.[2]).toMatchObject({ signedMfa: 'signed mfa' })
  expect(new Set(refreshes.map(([, , payload]) => Object(payload).idempotencyKey)).size).toBe(1)
})

it.each([
  ['the user has no device for', 'wallet.waas.refresh', [], ['hidden', 'hidden']],
  ['no frame can ask for', 'wallet.waas.export', [{ method: 'passkey' }], ['hidden', 'hidden']],
  ['the user chose to prove there', 'wallet.waas.refresh', [{ method: 'passkey' }], ['hidden', 'visible', 'visible']],
])('proves a factor in the app that %s, and repeats the request under its idempotency key', async (...facts) => {
  const [, action, devices, views] = facts
  const { keybay, proved, received } = open({
    refreshWalletAccountShares({ mfaToken }) {
      const details = { action, requestHash: 'hash', devices }
      if (mfaToken === undefined) throw new KeybayError(mfaRequired, { details })
      return { wallet: standInWallet }
    },
  })
  await keybay.waas.refresh(address)
  expect(proved).toEqual([{ action, requestHash: 'hash' }])
  expect(received.map(([view]) => view)).toEqual(views)
  const payloads = received.map(([, , payload]) => Object(payload))
  expect(payloads.at(-1)).toMatchObject({ mfaToken: 'mfa-token' })
  expect(new Set(payloads.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
})

it('confirms a passkey of the frame in the app, and repeats the request in that frame', async () => {
  const details = { action: 'wallet.waas.refresh', requestHash: 'hash', devices: [{ method: 'passkey' }] }
  let made = false
  const { keybay, proved, received, called } = open({
    refreshWalletAccountShares({ signedMfa }) {
      if (signedMfa === undefined) throw new KeybayError(mfaRequired, { details })
      if (!made) {
        made = true
        throw new KeybayError(passkeyUnproved, { details: { enrolmentId: 'e-1' } })
      }
      return { wallet: standInWallet }
    },
  })
  await keybay.waas.refresh(address)
  expect(called).toEqual([['/mfa/frame-passkeys/e-1/confirm', 'POST']])
  expect(proved).toEqual([])
  expect(received.map(([view]) => view)).toEqual(['hidden', 'visible', 'visible'])
})

it('asks for consent in the visible frame, in the container or a dialog, and removes it', async () => {
  const { keybay, received, events } = open({
    revokeSet: () => {
      if (!document.querySelector('[title="wallet storage"]')) throw new KeybayError(consentRequired)
      return { wallet: standInWallet }
    },
  })
  const container = createContainer()
  await keybay.waas.revokeSet(address, 's2', { displayContainer: container })
  await keybay.waas.revokeSet(address, 's2')
  expect(received.map(([view]) => view)).toEqual(['hidden', 'visible', 'hidden', 'visible'])
  expect(events).toContainEqual(['waas:consent', { operation: 'revokeSet', address }])
  expect([container.childElementCount, document.querySelectorAll('dialog').length]).toEqual([0, 0])
})

it('gives its own dialog the height that the frame measures, and emits no event for it', async () => {
  const heights: string[] = []
  const { keybay, events } = open({
    async revokeSet(_, { progress }) {
      const dialog = document.querySelector('dialog')
      if (!dialog) throw new KeybayError(consentRequired)
      progress({ step: 'window', number: 0, of: 0, height: 210 })
      const getHeight = () => dialog.style.getPropertyValue('--keybay-wallet-height')
      await until(getHeight)
      heights.push(getHeight())
      return { wallet: standInWallet }
    },
  })
  await keybay.waas.revokeSet(address, 's2')
  expect(heights).toEqual(['210px'])
  expect(events.map(([name]) => name)).not.toContain('waas:progress')
})

it.each([
  ['aborts a signature', (control: AbortController) => control.abort()],
  ['disconnects the wallet', (_: AbortController, { keybay }: ReturnType<typeof open>) => keybay.disconnect('waas')],
])('closes the window and ends its request when the app %s', async (_, leave) => {
  let asked: AbortSignal | undefined
  const kit = open({
    getWallets: () => [standInWallet],
    signMessage(_, { signal }) {
      if (!document.querySelector('dialog')) throw new KeybayError(consentRequired)
      asked = signal
      return new Promise(() => {})
    },
  })
  const { account, features } = await connectAccount(kit)
  const control = new AbortController()
  const input = { account, message: new Uint8Array(1), signal: control.signal }
  const signing = features['solana:signMessage'].signMessage(input)
  signing.catch(() => {})
  await until(() => asked)
  await leave(control, kit)
  await expect(signing).rejects.toMatchObject({ code: 'aborted' })
  expect(document.querySelectorAll('dialog')).toHaveLength(0)
  await until(() => asked?.aborted)
})

it('every signing feature takes a signal: an aborted request sends nothing', async () => {
  const kit = open({ getWallets: () => [standInWallet] })
  const { account, features } = await connectAccount(kit)
  const sent = kit.received.length
  const input = { account, signal: AbortSignal.abort() }
  const bytes = new Uint8Array(32)
  const signing = {
    'solana:signMessage': () => features['solana:signMessage'].signMessage({ ...input, message: bytes }),
    'solana:signTransaction': () =>
      features['solana:signTransaction'].signTransaction({ ...input, transaction: bytes }),
    'keybay:signRawMessage': () =>
      features['keybay:signRawMessage'].signRawMessage({ ...input, message: 'ab'.repeat(32) }),
    'keybay:signTypedData': () => features['keybay:signTypedData'].signTypedData({ ...input, typedData: '{}' }),
    'evm:signMessage': () => features['evm:signMessage'].signMessage({ ...input, message: bytes }),
    'evm:signTypedData': () => features['evm:signTypedData'].signTypedData({ ...input, typedData: {} }),
    'evm:signTransaction': () => features['evm:signTransaction'].signTransaction({ ...input, transaction: bytes }),
    'bitcoin:signTransaction': () => features['bitcoin:signTransaction'].signTransaction({ ...input, psbt: bytes }),
  }
  for (const [name, sign] of Object.entries(signing)) {
    expect(Reflect.get(features, name)).toMatchObject({ signal: true })
    await expect(sign()).rejects.toMatchObject({ code: 'aborted' })
  }
  expect(kit.received).toHaveLength(sent)
})

it('[S3.1] the user’s refusal to sign a message is MESSAGE_SIGNATURE_DENIED, that of a transaction is not', async () => {
  const refuse = () => Promise.reject(new KeybayError(userRejected))
  const refusing = { signMessage: refuse, signRawMessage: refuse, signTypedData: refuse, signTransaction: refuse }
  const { account, features } = await connectAccount(open({ getWallets: () => [standInWallet], ...refusing }))
  const message = new Uint8Array(32)
  const denied = { code: 'user_rejected', walletCode: 3 }
  await expect(features['solana:signMessage'].signMessage({ account, message })).rejects.toMatchObject(denied)
  await expect(features['evm:signMessage'].signMessage({ account, message })).rejects.toMatchObject(denied)
  await expect(
    features['keybay:signRawMessage'].signRawMessage({ account, message: 'ab'.repeat(32) }),
  ).rejects.toMatchObject(denied)
  await expect(features['evm:signTypedData'].signTypedData({ account, typedData: {} })).rejects.toMatchObject(denied)
  await expect(
    features['solana:signTransaction'].signTransaction({ account, transaction: message }),
  ).rejects.toMatchObject({ code: 'user_rejected', walletCode: 2 })
})

it('imports a key in the visible frame unless the app passes the key', async () => {
  const { keybay, received } = open({ importPrivateKey: () => ({ wallet: standInWallet }) })
  await keybay.waas.importPrivateKey()
  await keybay.waas.importPrivateKey({ privateKey: '5Kd3' })
  expect(received.map(([view]) => view)).toEqual(['visible', 'hidden'])
})

it('loads the hidden frame for an operation that begins in the visible frame', async () => {
  const states: unknown[] = []
  const { keybay, frames, events } = open({
    importPrivateKey() {
      const hidden = document.querySelectorAll('iframe[title="wallet"]').length
      states.push(hidden, ...frameStates())
      return { wallet: standInWallet }
    },
  })
  const frameStates = () => events.filter(([name]) => name === 'waas:frame').map(([, payload]) => payload)
  await keybay.waas.importPrivateKey()
  expect(states).toEqual([1, { state: 'loading' }, { state: 'ready' }])
  await keybay.waas.importPrivateKey()
  expect(frames.loaded).toHaveLength(3) // the hidden one once
})

it('shows nothing to the user when the hidden frame cannot be loaded; the next try works', async () => {
  let forgets = true
  const { keybay, received } = open(
    { importPrivateKey: () => ({ wallet: standInWallet }) },
    { frame: { forgets: view => forgets && view === 'hidden' } },
  )
  await expect(keybay.waas.importPrivateKey()).rejects.toMatchObject({ code: 'token_exchange_failed' })
  expect([received.length, iframes().length, document.querySelectorAll('dialog').length]).toEqual([0, 0, 0])
  forgets = false
  expect(await keybay.waas.importPrivateKey()).toEqual({ wallet: standInWallet })
})

it('looks up the scheme and the share set of a wallet', async () => {
  const { keybay, received, signed } = open({
    getWallet({ accountAddress }) {
      if (accountAddress !== address) throw new KeybayError(accountNotFound)
      return { wallet: standInWallet, ready: true, needs: [] }
    },
    reshare: () => ({ wallet: standInWallet }),
    setPolicy: ({ policy }) => ({ wallet: { ...standInWallet, policy: policy ?? undefined } }),
  })
  await keybay.waas.reshare(address, { to: 'THREE_OF_FIVE' })
  const policy = { programs: [], messages: true, dailyLimit: 5n }
  expect((await keybay.waas.setPolicy(address, policy)).policy).toEqual(policy)
  const payloads = received.filter(([, type]) => type !== 'getWallet').map(([, , payload]) => payload)
  expect(payloads).toMatchObject([
    { oldThresholdSignatureScheme: 'TWO_OF_THREE', newThresholdSignatureScheme: 'THREE_OF_FIVE' },
    { setId: 's1' },
  ])
  // The statement names the set and the whole policy, in the relay's notation.
  const statement = JSON.stringify(['setPolicy', 's1', '{"dailyLimit":"5","programs":[],"messages":true}'])
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(statement))
  expect(signed.at(-1)).toMatchObject({ hash: Buffer.from(digest).toString('base64url') })
  await expect(keybay.waas.setPolicy('elsewhere', null)).rejects.toMatchObject({ code: 'account_not_found' })
})

it('[S5.3] refuses a raw message of another length: Message must be 64 characters long', async () => {
  const { keybay, received } = open({ getWallets: () => [standInWallet] })
  const { account, features } = await connectAccount({ keybay })
  const { signRawMessage } = features['keybay:signRawMessage']
  await expect(signRawMessage({ account, message: 'abc' })).rejects.toThrow('Message must be 64 characters long')
  expect(received).toHaveLength(1)
})

it('exports an account, and sets, changes and verifies its password', async () => {
  const { keybay, received } = open({
    getWallets: () => [standInWallet],
    exportPrivateKey: () => null,
    exportClientKeyshares: () => ({ keyShares: ['AQID'] }),
    setPassword: () => null,
    updatePassword: () => null,
    verifyPassword: ({ password }) => password === 'hunter2',
  })
  const { account, features } = await connectAccount({ keybay })
  const { exportPrivateKey, exportClientKeyshares } = features['keybay:export']
  const { setPassword, updatePassword, verifyPassword } = features['keybay:password']
  const displayContainer = createContainer()
  await exportPrivateKey({ account, displayContainer })
  expect(await exportClientKeyshares({ account, displayContainer })).toEqual(['AQID'])
  await setPassword({ account, newPassword: 'hunter2' })
  await updatePassword({ account, existingPassword: 'hunter2', newPassword: 'hunter3' })
  expect(await verifyPassword({ account, password: 'hunter2' })).toBe(true)
  expect(await verifyPassword({ account, password: 'hunter4' })).toBe(false)
  const others = received.filter(([, type]) => type !== 'getWallets')
  expect(others.map(([view, type]) => `${view} ${type}`)).toEqual([
    'visible exportPrivateKey',
    'visible exportClientKeyshares',
    'visible setPassword',
    'hidden updatePassword',
    'hidden verifyPassword',
    'hidden verifyPassword',
  ])
  expect(new Set(others.map(([, , payload]) => Object(payload).accountAddress))).toEqual(new Set([address]))
  const stranger = { ...account, address: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' }
  await expect(setPassword({ account: stranger })).rejects.toMatchObject({ code: 'account_not_found' })
})

it('signs typed data of an Ethereum account as an object and as JSON alike', async () => {
  const { keybay, received } = open(
    {
      getWallets: () => [{ ...standInWallet, ...ethereum }],
      signTypedData: () => ({ signature: new Uint8Array(65).fill(10) }),
    },
    { options: { chains: ['EVM'] } },
  )
  const { account, features } = await connectAccount({ keybay })
  expect(account.features).toEqual(expect.arrayContaining(['evm:signTypedData', 'keybay:signTypedData']))
  const typedData = { primaryType: 'Order', message: { amount: 12_345n } }
  const json = '{"primaryType":"Order","message":{"amount":"12345"}}'
  const signed = { signature: `0x${'0a'.repeat(65)}` }
  expect(await features['evm:signTypedData'].signTypedData({ account, typedData })).toEqual(signed)
  expect(await features['keybay:signTypedData'].signTypedData({ account, typedData: json })).toEqual(signed)
  const signings = received.filter(([, type]) => type === 'signTypedData').map(([, , payload]) => Object(payload))
  expect(signings).toMatchObject([
    { ...ethereum, typedData: json },
    { ...ethereum, typedData: json },
  ])
})

it('[S5.7] refuses an empty address: an account address, a signed session id and an auth token are needed', async () => {
  const { keybay, received } = open({})
  await expect(keybay.waas.refresh('')).rejects.toMatchObject({
    code: 'authority_missing',
    message: expect.stringContaining('accountAddress'),
  })
  expect(received).toEqual([])
})

it('rejects with the frame’s error, and puts no secret into the error or into the events', async () => {
  const { keybay, events } = open({
    addDevice: () => {
      throw new KeybayError(errorSpec('frame_storage_unavailable', 'This browser keeps nothing'))
    },
  })
  const error: unknown = await keybay.waas
    .addDevice(address, { password: 'hunter2' })
    .catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'frame_storage_unavailable' })
  expect(JSON.stringify([error, events])).not.toMatch(/hunter2|token-of-mara|signed addDevice/)
})

describe('an operation that needs the user', () => {
  const details = { requestHash: 'hash', devices: [{ method: 'totp' }] }
  const otherFactor = new KeybayError(mfaRequired, { details: { ...details, action: 'wallet.waas.export' } })
  const frameFactor = new KeybayError(mfaRequired, { details: { ...details, action: 'wallet.waas.refresh' } })
  const refuse = (error: KeybayError) => ({ refreshWalletAccountShares: () => Promise.reject(error) })
  const views = (received: readonly (readonly [view: string, type: string, payload: unknown])[]) =>
    received.map(([view]) => view)
  const isClean = () => document.querySelectorAll('dialog, iframe[title="wallet storage"]').length === 0

  const passkey = new KeybayError(passkeyUnproved, { details: { enrolmentId: 'e-1' } })
  it.each([
    ['its proof is refused in the hidden frame too', [otherFactor], 'hidden hidden', 1],
    ['its proof is refused in the visible frame too', [frameFactor], 'hidden visible visible', 1],
    ['its consent is refused in the visible frame too', [new KeybayError(consentRequired)], 'hidden visible', 0],
    ['its passkey is unproved again after the confirmation', [frameFactor, passkey], 'hidden visible visible', 0],
  ])('an operation fails when %s', async (_, refusals, expected, proofs) => {
    const answers = [...refusals]
    const last = refusals.at(-1)
    const { keybay, received, proved } = open({
      refreshWalletAccountShares: () => Promise.reject(answers.shift() ?? last),
    })
    await expect(keybay.waas.refresh(address)).rejects.toMatchObject({ code: last?.code })
    expect([views(received).join(' '), proved.length, isClean()]).toEqual([expected, proofs, true])
  })

  it('proves a factor in the app for a request that still needs consent', async () => {
    const { keybay, received, proved } = open({
      refreshWalletAccountShares({ mfaToken, signedMfa }) {
        if (mfaToken === undefined && signedMfa === undefined) throw otherFactor
        if (mfaToken !== undefined) throw new KeybayError(consentRequired)
        return { wallet: standInWallet }
      },
    })
    await keybay.waas.refresh(address)
    expect([views(received), proved.length]).toEqual([['hidden', 'hidden', 'visible'], 1])
  })

  it('a silent operation that needs the user fails without showing anything', async () => {
    const { keybay, received, events } = open({ getWallets: () => Promise.reject(new KeybayError(consentRequired)) })
    const { wallet } = keybay.connectors.get('waas')
    const connecting = wallet.features['standard:connect'].connect({ silent: true })
    await expect(connecting).rejects.toMatchObject({ code: 'consent_required' })
    expect(views(received)).toEqual(['hidden'])
    expect(events.filter(([name]) => name === 'waas:consent')).toEqual([])
  })

  it('an operation that needs the user fails when the visible frame does not load', async () => {
    const { keybay, received } = open(refuse(new KeybayError(consentRequired)), {
      frame: { forgets: view => view === 'visible' },
    })
    await expect(keybay.waas.refresh(address)).rejects.toMatchObject({ code: 'token_exchange_failed' })
    expect([views(received), isClean()]).toEqual([['hidden'], true])
  })

  it('shows one window at a time, except while it waits for a function of the app', async () => {
    const answers: (() => void)[] = []
    let save = () => {}
    const external = {
      save: async () => {},
      load: async () => undefined,
      erase: () => new Promise<void>(resolve => (save = resolve)),
    }
    const { keybay } = open(
      {
        importPrivateKey: (_, { progress }) =>
          new Promise(resolve => {
            const question = { request: 'r', action: 'erase', walletId: 'w', epoch: 0, id: 'i' } as const
            if (answers.length === 2) progress({ step: 'external', number: 1, of: 1, external: question })
            answers.push(() => resolve({ wallet: standInWallet }))
          }),
        externalBackup: () => null,
      },
      { options: { external } },
    )
    const ask = async (number: number) => {
      const result = keybay.waas.importPrivateKey()
      await until(() => answers.length === number)
      return { result }
    }
    const opened = () => [...document.querySelectorAll('dialog')].map(({ open }) => open)
    const first = await ask(1)
    const second = await ask(2)
    expect(opened()).toEqual([true, false])
    answers[0]?.()
    await first.result
    expect(opened()).toEqual([true])
    answers[1]?.()
    await second.result
    const results = [await ask(3), await ask(4)]
    expect(opened()).toEqual([true, true])
    save()
    results.push(await ask(5))
    expect(opened()).toEqual([true, true, false])
    for (const answer of answers) answer()
    await Promise.all(results.map(({ result }) => result))
    expect(isClean()).toBe(true)
  })

  describe('an operation that waits in the visible frame', () => {
    const waiting = () => {
      const control = new AbortController()
      const kit = open({
        refreshWalletAccountShares: ({ signedMfa }) =>
          signedMfa === undefined ? Promise.reject(frameFactor) : new Promise(() => {}),
      })
      const result = kit.keybay.waas.refresh(address, { signal: control.signal })
      result.catch(() => {})
      return { ...kit, control, result, isVisible: () => views(kit.received).includes('visible') }
    }
    type Waiting = ReturnType<typeof waiting>
    const closeDialog = () => document.querySelector('dialog')?.dispatchEvent(new Event('cancel', { cancelable: true }))
    const endings: readonly (readonly [string, string, (kit: Waiting) => unknown])[] = [
      ['aborted', 'aborted', ({ control }) => control.abort()],
      ['closed by the user', 'user_rejected', closeDialog],
      ['begun by a user who signs out', 'session_changed', ({ kernel }) => kernel.session.clear()],
      ['begun before another user signs in', 'session_changed', ({ signIn }) => signIn('noah', 'token-of-noah')],
    ]
    it.each(endings)('an operation ends and removes its window when it is %s', async (_, code, end) => {
      const kit = waiting()
      await until(kit.isVisible)
      await end(kit)
      await expect(kit.result).rejects.toMatchObject({ code })
      expect(isClean()).toBe(true)
    })
  })
})
