/**
 * Tests accounts of other chains: their code loads with the first account, and other implementations read what they
 * sign.
 */
import { schnorr } from '@noble/curves/secp256k1.js'
import { Transaction as BitcoinTransaction, p2tr, p2wpkh } from '@scure/btc-signer'
import { pubECDSA, randomPrivateKeyBytes } from '@scure/btc-signer/utils.js'
import { addr, eip191Signer, Transaction } from 'micro-eth-signer'
import type { BrowserContext, Frame, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  agree,
  beginSigning,
  CHAINS,
  createOther,
  expectSigned,
  expectSigns,
  getScript,
  type OtherChain,
  TYPED,
  typedSigner,
  visitAll,
} from './chains.js'
import { exportKey } from './exporting.js'
import { join, revoke } from './join.js'
import { create as createSolana, password, press, reload, reshare } from './person.js'
import { getWallet, restore } from './restore.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()

function visit(context?: BrowserContext): Promise<Page> {
  return visitAll(world, context)
}
/** Signs a new user in. */
async function arrive(): Promise<{ readonly page: Page; readonly person: string }> {
  const page = await visit()
  return { page, person: await world.signIn(page) }
}
const FRIEND = 'bc1p2wsldez5mud2yam29q22wgfh9439spgduvct83k3pm50fcxa5dps59h4z5'
describe('an EVM account', () => {
  it('an EVM account signs typed data, messages and transactions that the user has read, and loads its code on demand', async () => {
    const page = await visit()
    await world.signIn(page)
    const scripts: string[] = []
    page.on('request', request => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    await createSolana(page, 'TWO_OF_TWO')
    expect(scripts.filter(url => url.includes('/assets/chains-'))).toEqual([])
    const { accountAddress: address, chainName, signing, exportable } = (await createOther(page, 'EVM')).wallet
    expect({ chainName, signing, exportable }).toEqual({ chainName: 'EVM', signing: 'reconstructed', exportable: true })
    expect(scripts.filter(url => url.includes('/assets/chains-')).length).toBeGreaterThan(0)

    const typed = page.evaluate(([address, typed]) => window.host.signTypedData(address, typed), [
      address,
      JSON.stringify(TYPED),
    ] as const)
    const words = await agree(page)
    for (const part of [
      address,
      'Exchange',
      'Order',
      TYPED.message.taker,
      '12345',
      'put together here',
      new URL(page.url()).origin,
    ])
      expect(words).toContain(part)
    expect(typedSigner(await typed)).toBe(address)

    const message = page.evaluate(address => window.host.signEvmMessage(address, 'Grüße'), address)
    expect(await agree(page)).toContain('Grüße')
    expect(eip191Signer.recoverAddress(await message, 'Grüße')).toBe(address)

    const unsigned = Transaction.prepare({
      to: TYPED.message.taker,
      value: 15n * 10n ** 17n,
      nonce: 3n,
      maxFeePerGas: 10n ** 9n,
      chainId: 11_155_111n,
    })
    const bytes = Buffer.from(unsigned.toBytes({ includeSignature: false })).toString('base64')
    const signed = page.evaluate(([address, bytes]) => window.host.signEvmTransaction(address, bytes), [
      address,
      bytes,
    ] as const)
    const shown = await agree(page)
    for (const part of ['1.5 ETH', TYPED.message.taker, 'Sepolia']) expect(shown).toContain(part)
    expect(Transaction.fromBytes(Buffer.from(await signed, 'base64')).sender).toBe(address)
  }, 60_000)

  it('an EVM account refuses unreadable data before asking the user, and signs nothing if the user declines', async () => {
    const page = await visit()
    await world.signIn(page)
    const { accountAddress: address } = (await createOther(page, 'EVM')).wallet
    world.requests.length = 0
    const unread = await page.evaluate(
      address => window.host.outcome(window.host.signTypedData(address, '{"types":{}}')),
      address,
    )
    expect(unread.code).toBe('evm_invalid')
    const refused = page.evaluate(
      ([address, typed]) => window.host.outcome(window.host.signTypedData(address, typed)),
      [address, JSON.stringify(TYPED)] as const,
    )
    const frame = await getFrame(page, 'visible')
    await press(frame.getByRole('button', { name: 'Cancel' }))
    expect((await refused).code).toBe('user_rejected')
    expect(world.requests.filter(path => path.includes('/sign'))).toEqual([])
    const policy = await page.evaluate(
      address => window.host.outcome(window.host.keybay.waas.setPolicy(address, { programs: [], messages: true })),
      address,
    )
    expect(policy).toMatchObject({ code: 'policy_unsupported' })
  }, 60_000)

  it('an EVM account is unavailable while its code differs from the build, and available once the code matches', async () => {
    const page = await visit()
    await world.signIn(page)
    const file = '**/assets/chains-*.js'
    await page.route(file, route =>
      route.fulfill({
        contentType: 'text/javascript',
        body: 'globalThis.changed = true; export const openChains = () => ({})',
      }),
    )
    const making = () =>
      page.evaluate(() =>
        window.host.outcome(window.host.keybay.waas.createWallet({ chain: 'EVM', scheme: 'TWO_OF_TWO' })),
      )
    expect(await making()).toMatchObject({ code: 'frame_chain_unavailable' })
    const hidden = await getFrame(page, 'hidden')
    expect(await hidden.evaluate(() => 'changed' in globalThis)).toBe(false)
    await page.unroute(file)
    expect(await making()).toMatchObject({ value: { wallet: { chainName: 'EVM' } } })
  }, 60_000)
})

it('EVM accounts refuse to delegate to a server and to sign raw bytes, as only Solana wallets can', async () => {
  const { page } = await arrive()
  const { address } = await createOther(page, 'EVM')
  const outcomes = await page.evaluate(async address => {
    const { keybay, outcome } = window.host
    const policy = { programs: [], messages: true }
    const delegating = keybay.waas.delegateKeyShares(address, {
      delegatePublicKey: new Uint8Array(32),
      delegateName: 'Acme',
      policy,
    })
    const { accounts } = await keybay.connect('waas')
    const own = accounts.filter(account => account.address === address)
    const raw = own.map(account =>
      keybay.connectors
        .get('waas')
        ?.wallet.features['keybay:signRawMessage'].signRawMessage({ account, message: '00'.repeat(32) }),
    )
    return [await outcome(delegating), await outcome(Promise.all(raw))]
  }, address)
  for (const outcome of outcomes)
    expect(outcome).toEqual({ code: 'unsupported_chain', message: 'Unsupported chain: only for Solana wallets' })
})

it('backup finds an Ethereum account that the page created, even if the page lists only Solana accounts', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const { address } = await createOther(page, 'EVM')
  const outcome = await page.evaluate(
    address => window.host.outcome(window.host.keybay.waas.backup(address, { backup: { provider: 'external' } })),
    address,
  )
  expect(outcome.code).toBe('frame_backup_reshare_needed')
})

describe('a Bitcoin account', () => {
  it('a Bitcoin account signs a PSBT that the user has read and another library finalizes, but no foreign PSBT', async () => {
    const page = await visit()
    await world.signIn(page)
    const { accountAddress: address, signing } = (await createOther(page, 'BTC')).wallet
    expect(signing).toBe('threshold')
    const getPsbt = (script: Uint8Array) => {
      const transaction = new BitcoinTransaction()
      transaction.addInput({ txid: '11'.repeat(32), index: 0, witnessUtxo: { amount: 150_000_000n, script } })
      transaction.addOutputAddress(FRIEND, 125_000_000n)
      transaction.addOutputAddress(address, 24_990_000n)
      return Buffer.from(transaction.toPSBT()).toString('base64')
    }
    const script = getScript(address)
    const signed = page.evaluate(([address, psbt]) => window.host.signPsbt(address, psbt), [
      address,
      getPsbt(script),
    ] as const)
    const words = await agree(page)
    for (const part of [FRIEND, '1.25 BTC', '0.2499 BTC', '0.0001 BTC', 'the key is not put together'])
      expect(words).toContain(part)
    const transaction = BitcoinTransaction.fromPSBT(Buffer.from(await signed, 'base64'))
    const { tapKeySig } = transaction.getInput(0)
    const sighash = transaction.preimageWitnessV1(0, [script], 0, [150_000_000n])
    expect(tapKeySig && schnorr.verify(tapKeySig, sighash, script.subarray(2))).toBe(true)
    transaction.finalize()
    const refused = await page.evaluate(([address, psbt]) => window.host.outcome(window.host.signPsbt(address, psbt)), [
      address,
      getPsbt(getScript(FRIEND)),
    ] as const)
    expect(refused).toMatchObject({
      code: 'psbt_invalid',
      message: expect.stringContaining('no input of this account'),
    })
  }, 60_000)

  it('a Bitcoin account signs only its own inputs of a joint transaction, and the user sees the owner of each input', async () => {
    const { page } = await arrive()
    const { address } = await createOther(page, 'BTC')
    const friend = randomPrivateKeyBytes()
    const { script } = p2wpkh(pubECDSA(friend))
    const coin = (index: number, amount: bigint, script?: Uint8Array) => ({
      txid: '11'.repeat(32),
      index,
      ...(script && { witnessUtxo: { amount, script } }),
    })
    const joint = (theirs: Uint8Array | undefined) => {
      const transaction = new BitcoinTransaction()
      transaction.addInput(coin(0, 200_000_000n, theirs))
      transaction.addInput(coin(1, 150_000_000n, getScript(address)))
      transaction.addOutputAddress(FRIEND, 300_000_000n)
      transaction.addOutputAddress(address, 40_000_000n)
      return Buffer.from(transaction.toPSBT()).toString('base64')
    }
    const begin = (psbt: string) =>
      page.evaluate(([address, psbt]) => window.host.outcome(window.host.signPsbt(address, psbt)), [
        address,
        psbt,
      ] as const)
    expect(await begin(joint(undefined))).toEqual({
      code: 'psbt_invalid',
      message: 'Not a transaction that this account signs: input 1: without what it spends',
    })
    const signing = begin(joint(script))
    const words = await agree(page)
    for (const part of ['From this wallet1.5 BTC', 'From others, 1 of the inputs2 BTC', 'Leaves this wallet1.1 BTC'])
      expect(words).toContain(part)
    const transaction = BitcoinTransaction.fromPSBT(Buffer.from(String((await signing).value), 'base64'))
    const sighash = transaction.preimageWitnessV1(1, [script, getScript(address)], 0, [200_000_000n, 150_000_000n])
    const { tapKeySig = new Uint8Array() } = transaction.getInput(1)
    expect(schnorr.verify(tapKeySig, sighash, getScript(address).subarray(2))).toBe(true)
    transaction.sign(friend)
    transaction.finalize()
    expect(transaction.fee).toBe(10_000_000n)
  }, 60_000)
})

async function enter(frame: Frame, text: string): Promise<void> {
  await frame.getByLabel('Password or recovery code').fill(text)
  await press(frame.getByRole('button', { name: 'Continue', exact: true }))
}

async function setPassword(page: Page, address: string): Promise<void> {
  const setting = page.evaluate(
    ([address, newPassword]) => window.host.outcome(window.host.keybay.waas.setPassword(address, { newPassword })),
    [address, password] as const,
  )
  await press((await getFrame(page, 'visible')).getByRole('button', { name: 'Set it' }))
  expect((await setting).code).toBeUndefined()
}
/** Returns the address of a key as other implementations write it. */
function addressOf(chain: OtherChain, key: Uint8Array): string {
  return chain === 'EVM' ? addr.fromPrivateKey(key) : (p2tr(schnorr.getPublicKey(key)).address ?? '')
}

// Passwords are derived several times, which takes time on a slow machine.
describe.each(CHAINS)('an account of %s', chain => {
  it('an account keeps its address after a refresh, a reshare and a reload', async () => {
    const { page } = await arrive()
    const { address } = await createOther(page, chain)
    expect((await reshare(page, address, 'refresh', false)).wallet).toMatchObject({ accountAddress: address, epoch: 1 })
    await expectSigns(page, chain, address)
    const { wallet } = await reshare(page, address, 'THREE_OF_FIVE', true)
    expect(wallet).toMatchObject({
      accountAddress: address,
      thresholdSignatureScheme: 'THREE_OF_FIVE',
      epoch: 2,
      backup: { state: 'current' },
    })
    await reload(page)
    await expectSigns(page, chain, address)
  }, 300_000)

  it('[S1.12] an account restored in place of a lost device signs and exports; the lost device no longer signs', async () => {
    const { page: lost, person } = await arrive()
    const { address, file } = await createOther(lost, chain, true)
    if (!file) throw new Error('no backup')
    const page = await visit(await world.newContext())
    await world.signIn(page, person)
    expect(await getWallet(page)).toMatchObject({ accountAddress: address, here: false })
    // The user sees no question, because this browser cannot sign.
    expect((await beginSigning(page, chain, address)).code).toBe('frame_share_elsewhere')
    const { outcome } = await restore(page, address, 'replace-device', file)
    expect(outcome).toMatchObject({ value: { accountAddress: address, here: true, epoch: 1 } })
    await expectSigns(page, chain, address)
    await lost.bringToFront()
    const late = beginSigning(lost, chain, address)
    await agree(lost)
    expect((await late).code).toBe('invalid_device_signature')
    await page.bringToFront()
    const { text, words } = await exportKey(page, address)
    expect(words).toContain('import it into another wallet of this chain')
    const key = new Uint8Array(Buffer.from(text.replace(/^0x/, ''), 'hex'))
    expect(addressOf(chain, key)).toBe(address)
    expect(await getWallet(page)).toMatchObject({ accountAddress: address, exported: true, here: true })
  }, 300_000)
})

it('an EVM account signs with its new shares after the response to their commit was lost', async () => {
  const { page } = await arrive()
  const { address } = await createOther(page, 'EVM')
  // Connects before, so that no wallet list gives the frame the outcome of the commit.
  await page.evaluate(() => window.host.keybay.connect('waas'))
  await page.route('**/reshare/commit', async route => {
    await route.fetch()
    await route.abort()
  })
  const refreshed = await page.evaluate(
    address => window.host.outcome(window.host.keybay.waas.refresh(address)),
    address,
  )
  expect(refreshed.code).toBe('frame_relay_unreachable')
  await page.unroute('**/reshare/commit')
  await page.route('**/wallets/list', route => route.abort())
  await expectSigns(page, 'EVM', address)
  await page.unroute('**/wallets/list')
  expect(await getWallet(page)).toMatchObject({ epoch: 1, here: true })
  await expectSigns(page, 'EVM', address)
}, 300_000)

it('a second device signs for an EVM account until revoked, and a password, if set, is required to sign', async () => {
  const { page: home, person } = await arrive()
  const { address } = await createOther(home, 'EVM')
  const laptop = await visit(await world.newContext())
  await world.signIn(laptop, person)
  for (const page of [home, laptop]) await getWallet(page)
  await join(home, laptop, address)
  await laptop.bringToFront()
  await expectSigns(laptop, 'EVM', address)
  const set = (await getWallet(laptop))?.sets.find(({ here }) => here)
  expect(set).toMatchObject({ kind: 'device' })
  await revoke(home, address, set?.setId)
  await laptop.bringToFront()
  const revoked = beginSigning(laptop, 'EVM', address)
  await agree(laptop)
  expect((await revoked).code).toBe('set_revoked')

  await home.bringToFront()
  await setPassword(home, address)
  await reload(home)
  const signing = beginSigning(home, 'EVM', address)
  await agree(home)
  const frame = await getFrame(home, 'visible')
  await enter(frame, 'a wrong one')
  await frame.getByText('Wrong password').waitFor()
  await enter(frame, password)
  expectSigned('EVM', address, await signing)
}, 300_000)
