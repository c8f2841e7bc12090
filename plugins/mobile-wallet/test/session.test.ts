// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { connect, ID, message, openPage, setUpPhone, transfer, verifies } from './support.js'

const world = setUpPhone()

it('opens the wallet app by the address of the specification and connects', async () => {
  const { account } = await connect({ cluster: 'devnet' })
  expect(account).toMatchObject({
    address: world.phone.wallet.address,
    chains: ['solana:devnet'],
    label: 'Sandbox phone',
  })
  expect([...world.phone.wallet.apps.values()]).toEqual([location.origin])
  expect(world.calls).toHaveLength(1)
  expect(world.calls[0]).toMatch(/^solana-wallet:\/v1\/associate\/local\?association=[\w.-]{88}&port=\d{5}&v=v1$/)
})
it('signs several messages in one trip to the wallet app', async () => {
  const { account, features } = await connect()
  const inputs = [message, Uint8Array.of(0, 255)].map(bytes => ({ account, message: bytes }))
  const outputs = await features['solana:signMessage'].signMessage(...inputs)
  expect(outputs).toHaveLength(2)
  for (const [index, { signedMessage, signature }] of outputs.entries()) {
    expect(signedMessage).toEqual(inputs[index]?.message)
    expect(await verifies(account.address, signature, signedMessage)).toBe(true)
  }
  expect(world.calls).toHaveLength(2)
})
it('signs transactions in one trip, and renews the authorisation with each trip', async () => {
  const { account, features } = await connect()
  const [first] = world.phone.wallet.apps.keys()
  const inputs = [1, 2].map(lamports => ({ account, transaction: transfer(account.address, lamports) }))
  const outputs = await features['solana:signTransaction'].signTransaction(...inputs)
  for (const [index, { signedTransaction }] of outputs.entries()) {
    const unsigned = inputs[index]?.transaction ?? new Uint8Array()
    expect(signedTransaction.slice(65)).toEqual(unsigned.slice(65))
    expect(await verifies(account.address, signedTransaction.slice(1, 65), signedTransaction.slice(65))).toBe(true)
  }
  const [second] = world.phone.wallet.apps.keys()
  expect(second).not.toBe(first)
  await features['solana:signMessage'].signMessage({ account, message })
  expect(world.phone.wallet.apps.size).toBe(1)
})
it('reports a wallet that cannot sign without sending, and a transaction that the wallet cannot send', async () => {
  world.phone.wallet.features = []
  const { account, features } = await connect()
  const transaction = transfer(account.address, 1)
  await expect(features['solana:signTransaction'].signTransaction({ account, transaction })).rejects.toMatchObject({
    code: 'feature_missing',
  })
  const chain = 'solana:mainnet'
  await expect(
    features['solana:signAndSendTransaction'].signAndSendTransaction({ account, transaction, chain }),
  ).rejects.toMatchObject({ code: 'mobile_wallet_not_sent' }) // this phone has no chain
})
it('signs in with one trip to the wallet app, and again with a new proof', async () => {
  const { keybay } = openPage()
  const { 'solana:signIn': feature } = keybay.connectors.get(ID).wallet.features
  const [output] = (await feature?.signIn({ domain: 'acme.example', nonce: 'abcdefgh', statement: 'Hello.' })) ?? []
  if (!output) throw new Error('There is a proof')
  const text = new TextDecoder().decode(output.signedMessage)
  expect(text).toContain(
    `acme.example wants you to sign in with your Solana account:\n${world.phone.wallet.address}\n\nHello.`,
  )
  expect(text).toContain('Nonce: abcdefgh')
  expect(await verifies(world.phone.wallet.address, output.signature, output.signedMessage)).toBe(true)
  await keybay.connect(ID)
  expect(world.calls).toHaveLength(1)
  const [second] = (await feature?.signIn({ domain: 'acme.example', nonce: 'ijklmnop' })) ?? []
  expect(new TextDecoder().decode(second?.signedMessage)).toContain('Nonce: ijklmnop')
})
it('a disconnect deletes the authorisation and revokes it in the mobile wallet', async () => {
  const { keybay } = await connect()
  expect(world.phone.wallet.apps.size).toBe(1)
  await keybay.disconnect(ID)
  expect(world.phone.wallet.apps.size).toBe(0)
  expect(world.phone.wallet.requests.at(-1)).toBe('deauthorize')
  expect(JSON.stringify(localStorage)).not.toContain('mobile-wallet:')
  const again = openPage()
  await again.keybay.connect(ID)
  expect(world.phone.wallet.apps.size).toBe(1)
})
it('stores the mobile-wallet authorisation encrypted', async () => {
  const { account, features } = await connect()
  const scan = () => JSON.stringify({ ...localStorage })
  for (const step of [async () => [], () => features['solana:signMessage'].signMessage({ account, message })]) {
    await step()
    const [token = ''] = world.phone.wallet.apps.keys()
    expect(token).toHaveLength(43)
    expect(scan()).toContain('mobile-wallet:authorisation')
    expect(scan()).not.toContain(token)
  }
})
it('mobile-wallet is ready only in Chrome on Android, on a secure page', () => {
  const readReadiness = (userAgent: string) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
    return openPage().keybay.connectors.get(ID).readiness
  }
  const android = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'
  expect(readReadiness(android)).toBe('ready')
  for (const other of [
    'Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) Version/4.0 Chrome/140.0.0.0 Mobile',
    'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/140.0 Mobile',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0',
  ])
    expect(readReadiness(other)).toBe('unsupported')
  Reflect.set(window, 'isSecureContext', false)
  expect(readReadiness(android)).toBe('unsupported')
})
