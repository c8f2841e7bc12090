/** Tests accounts of other chains: their code loads with the first account; other implementations read signatures. */
import { schnorr } from '@noble/curves/secp256k1.js'
import { p2tr, p2wpkh } from '@scure/btc-signer'
import { pubECDSA, randomPrivateKeyBytes } from '@scure/btc-signer/utils.js'
import { addr, eip191Signer, Transaction } from 'micro-eth-signer'
import { describe, expect, it } from 'vitest'
import {
  agreeToSign,
  beginSigning,
  CHAINS,
  createOther,
  enterAll,
  expectChainSigns,
  expectSigned,
  getPsbt,
  getScript,
  MESSAGE,
  type OtherChain,
  readSignedPsbt,
  TYPED,
  typedSigner,
} from './chains.js'
import { exportKey, joinDevice, restore, revoke, unlock } from './recover.js'
import { agree, attempt, attemptSign, create, enter, readWallet, reload, reshare, setPassword, sign } from './user.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()

/** Signs a new user in, and creates an account. */
async function openOther(chain: OtherChain) {
  const entered = await enterAll(world)
  return { ...entered, ...(await createOther(entered.page, chain)) }
}
const FIRST_TIME = 'First time you send here'
const FRIEND = 'bc1p2wsldez5mud2yam29q22wgfh9439spgduvct83k3pm50fcxa5dps59h4z5'

describe('an EVM account', () => {
  it('[S7.3] an EVM account signs typed data (signTypedData), messages and transactions that the user has read, and loads its code on demand', async () => {
    const { page } = await enterAll(world)
    const scripts: string[] = []
    page.on('request', request => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    await create(page, 'TWO_OF_TWO')
    expect(scripts.filter(url => url.includes('/assets/chains-'))).toEqual([])
    const { address, wallet } = await createOther(page, 'EVM')
    expect(wallet).toMatchObject({ chainName: 'EVM', signing: 'reconstructed', exportable: true })
    expect(scripts.filter(url => url.includes('/assets/chains-')).length).toBeGreaterThan(0)

    const typed = sign(page, address, JSON.stringify(TYPED), 'signTypedData')
    const words = await agreeToSign(page)
    const { origin } = new URL(page.url())
    for (const part of [address, 'Exchange', 'Order', TYPED.message.taker, '12345', 'put together here', origin])
      expect(words).toContain(part)
    expect(typedSigner(await typed)).toBe(address)

    const message = sign(page, address, MESSAGE, 'signEvmMessage')
    expect(await agreeToSign(page)).toContain(MESSAGE)
    expect(eip191Signer.recoverAddress(await message, MESSAGE)).toBe(address)

    const prepare = (chainId: bigint) => {
      const fields = { to: TYPED.message.taker, value: 15n * 10n ** 17n, nonce: 3n, maxFeePerGas: 10n ** 9n, chainId }
      return Buffer.from(Transaction.prepare(fields).toBytes({ includeSignature: false })).toString('base64')
    }
    const bytes = prepare(11_155_111n)
    const signed = sign(page, address, bytes, 'signEvmTransaction')
    const shown = await agreeToSign(page)
    for (const part of ['1.5 ETH', TYPED.message.taker, 'Sepolia', FIRST_TIME]) expect(shown).toContain(part)
    expect(Transaction.fromBytes(Buffer.from(await signed, 'base64')).sender).toBe(address)

    const again = sign(page, address, bytes, 'signEvmTransaction')
    expect(await agreeToSign(page)).not.toContain(FIRST_TIME)
    await again
    const elsewhere = sign(page, address, prepare(1n), 'signEvmTransaction')
    expect(await agreeToSign(page)).toContain(FIRST_TIME)
    await elsewhere
  }, 60_000)

  it('an EVM account refuses unreadable data before asking the user, signs nothing if the user declines, and refuses what only Solana wallets can', async () => {
    const { page, address } = await openOther('EVM')
    world.requests.length = 0
    expect((await attemptSign(page, address, '{"types":{}}', 'signTypedData')).code).toBe('evm_invalid')
    const refused = attemptSign(page, address, JSON.stringify(TYPED), 'signTypedData')
    await agree(page, 'Cancel')
    expect((await refused).code).toBe('user_rejected')
    expect(world.requests.filter(path => path.includes('/sign'))).toEqual([])
    const policy = { programs: [], messages: true }
    expect(await attempt(page, 'setPolicy', address, policy)).toMatchObject({ code: 'policy_unsupported' })
    // Only Solana wallets can delegate to a server, and sign raw bytes.
    const server = { delegatePublicKey: new Uint8Array(32), delegateName: 'Acme', policy }
    const delegating = await attempt(page, 'delegateKeyShares', address, server)
    for (const outcome of [delegating, await attemptSign(page, address, '00'.repeat(32), 'signRawMessage')])
      expect(outcome).toEqual({ code: 'unsupported_chain', message: 'Unsupported chain: only for Solana wallets' })
  }, 60_000)

  it('an EVM account is unavailable while its code differs from the build, and available once the code matches', async () => {
    const { page } = await enterAll(world)
    const file = '**/assets/chains-*.js'
    const body = 'globalThis.changed = true; export const openChains = () => ({})'
    await page.route(file, route => route.fulfill({ contentType: 'text/javascript', body }))
    const making = () => attempt(page, 'createWallet', { chain: 'EVM', scheme: 'TWO_OF_TWO' })
    expect(await making()).toMatchObject({ code: 'frame_chain_unavailable' })
    expect(await (await getFrame(page, 'hidden')).evaluate(() => 'changed' in globalThis)).toBe(false)
    await page.unroute(file)
    expect(await making()).toMatchObject({ value: { wallet: { chainName: 'EVM' } } })
  }, 60_000)
})

it('backup finds an Ethereum account that the page created, even if the page lists only Solana accounts', async () => {
  const { page } = await enter(world)
  const { address } = await createOther(page, 'EVM')
  const outcome = await attempt(page, 'backup', address, { backup: { provider: 'external' } })
  expect(outcome.code).toBe('frame_backup_reshare_needed')
})

describe('a Bitcoin account', () => {
  it('a Bitcoin account signs a PSBT that the user has read and another library finalizes, but no foreign PSBT', async () => {
    const { page, address, wallet } = await openOther('BTC')
    expect(wallet.signing).toBe('threshold')
    const outputs = [[FRIEND, 125_000_000n] as const, [address, 24_990_000n] as const]
    const getCoins = (owner: string) => [{ amount: 150_000_000n, script: getScript(owner) }]
    const signed = sign(page, address, getPsbt(getCoins(address), outputs), 'signPsbt')
    const words = await agreeToSign(page)
    for (const part of [FRIEND, '1.25 BTC', '0.2499 BTC', '0.0001 BTC', 'the key is not put together'])
      expect(words).toContain(part)
    expect(words.split(FIRST_TIME)).toHaveLength(2)
    readSignedPsbt(await signed, getCoins(address)).finalize()
    const again = sign(page, address, getPsbt(getCoins(address), outputs), 'signPsbt')
    expect(await agreeToSign(page)).not.toContain(FIRST_TIME)
    await again
    const refused = await attemptSign(page, address, getPsbt(getCoins(FRIEND), outputs), 'signPsbt')
    expect(refused.code).toBe('psbt_invalid')
    expect(refused.message).toContain('no input of this account')
  }, 60_000)

  it('a Bitcoin account signs only its own inputs of a joint transaction, and the user sees the owner of each input', async () => {
    const { page, address } = await openOther('BTC')
    const friend = randomPrivateKeyBytes()
    const { script } = p2wpkh(pubECDSA(friend))
    const getCoins = (friendScript: Uint8Array | undefined) => [
      { amount: 200_000_000n, script: friendScript },
      { amount: 150_000_000n, script: getScript(address) },
    ]
    const begin = (friendScript: Uint8Array | undefined) => {
      const outputs = [[FRIEND, 300_000_000n] as const, [address, 40_000_000n] as const]
      return attemptSign(page, address, getPsbt(getCoins(friendScript), outputs), 'signPsbt')
    }
    expect(await begin(undefined)).toEqual({
      code: 'psbt_invalid',
      message: 'Not a transaction that this account signs: input 1: without what it spends',
    })
    const signing = begin(script)
    const words = await agreeToSign(page)
    for (const part of ['From this wallet1.5 BTC', 'From others, 1 of the inputs2 BTC', 'Leaves this wallet1.1 BTC'])
      expect(words).toContain(part)
    const transaction = readSignedPsbt(String((await signing).value), getCoins(script), 1)
    transaction.sign(friend)
    transaction.finalize()
    expect(transaction.fee).toBe(10_000_000n)
  }, 60_000)
})

/** Returns the address of a key as other implementations write it. */
function addressOf(chain: OtherChain, key: Uint8Array): string {
  return chain === 'EVM' ? addr.fromPrivateKey(key) : (p2tr(schnorr.getPublicKey(key)).address ?? '')
}

it.each(CHAINS)(
  '[S1.12] an account of %s keeps its address over a refresh, a reshare, a reload and a restore in place of a lost device, which no longer signs; it then exports',
  async chain => {
    const { page: lost, user, address } = await openOther(chain)
    const refreshed = await reshare(lost, address, 'refresh', false)
    expect(refreshed.wallet).toMatchObject({ accountAddress: address, epoch: 1 })
    await expectChainSigns(lost, chain, address)
    const { wallet, file } = await reshare(lost, address, 'THREE_OF_FIVE', true)
    expect(wallet).toMatchObject({
      accountAddress: address,
      thresholdSignatureScheme: 'THREE_OF_FIVE',
      epoch: 2,
      backup: { state: 'current' },
    })
    await reload(lost)
    await expectChainSigns(lost, chain, address)

    const { page } = await enterAll(world, user)
    expect(await readWallet(page)).toMatchObject({ accountAddress: address, here: false })
    // The user sees no question, because this browser cannot sign.
    expect((await beginSigning(page, chain, address)).code).toBe('frame_share_elsewhere')
    const { outcome } = await restore(page, address, 'replace-device', file)
    expect(outcome).toMatchObject({ value: { accountAddress: address, here: true, epoch: 3 } })
    await expectChainSigns(page, chain, address)
    await lost.bringToFront()
    const late = beginSigning(lost, chain, address)
    await agreeToSign(lost)
    expect((await late).code).toBe('invalid_device_signature')
    await page.bringToFront()
    const { text, words } = await exportKey(page, address)
    expect(words).toContain('import it into another wallet of this chain')
    expect(addressOf(chain, new Uint8Array(Buffer.from(text.replace(/^0x/, ''), 'hex')))).toBe(address)
    expect(await readWallet(page)).toMatchObject({ accountAddress: address, exported: true, here: true })
  },
  300_000,
)

it('an EVM account signs with its new shares after the response to their commit was lost', async () => {
  const { page, address } = await openOther('EVM')
  // Connects before, so that no wallet list gives the frame the outcome of the commit.
  await page.evaluate(() => window.host.keybay.connect('waas'))
  await page.route('**/reshare/commit', async route => {
    await route.fetch()
    await route.abort()
  })
  expect((await attempt(page, 'refresh', address)).code).toBe('frame_relay_unreachable')
  await page.unroute('**/reshare/commit')
  await page.route('**/wallets/list', route => route.abort())
  await expectChainSigns(page, 'EVM', address)
  await page.unroute('**/wallets/list')
  expect(await readWallet(page)).toMatchObject({ epoch: 1, here: true })
  await expectChainSigns(page, 'EVM', address)
}, 300_000)

it('a second device signs for an EVM account until revoked, and a password, if set, is required to sign', async () => {
  const { page: home, user, address } = await openOther('EVM')
  const { page: laptop } = await enterAll(world, user)
  for (const page of [home, laptop]) await readWallet(page)
  await joinDevice(home, laptop, address)
  await laptop.bringToFront()
  await expectChainSigns(laptop, 'EVM', address)
  const set = (await readWallet(laptop))?.sets.find(({ here }) => here)
  expect(set).toMatchObject({ kind: 'device' })
  await revoke(home, address, set?.setId)
  await laptop.bringToFront()
  const revoked = beginSigning(laptop, 'EVM', address)
  await agreeToSign(laptop)
  expect((await revoked).code).toBe('set_revoked')

  await home.bringToFront()
  await setPassword(home, address)
  await reload(home)
  const signing = beginSigning(home, 'EVM', address)
  await agreeToSign(home)
  const frame = await getFrame(home, 'visible')
  await unlock(frame, 'a wrong one')
  await frame.getByText('Wrong password').waitFor()
  await unlock(frame)
  expectSigned('EVM', address, await signing)
}, 300_000)
