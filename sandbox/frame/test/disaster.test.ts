/**
 * Runs the whole drill once: after a device is lost, the backup and the relay restore the wallet; after the operator
 * and every database are lost, the device's share and the backup move the funds with the command-line tool.
 */
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import {
  createMint,
  getAccount,
  getAssociatedTokenAddressSync,
  getOrCreateAssociatedTokenAccount,
  mintTo,
} from '@solana/spl-token'
import { Connection, Keypair, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js'
import bs58 from 'bs58'
import { expect, it } from 'vitest'
import { copyOwnShare, restore, saved } from './recover.js'
import { attemptAgreed, enter, expectSigns, open, password, readWallet } from './user.js'
import { setUpWorld } from './world.js'

const world = setUpWorld({ production: true })
const TOOL = createRequire(import.meta.url)
  .resolve('@keybay/waas')
  .replace(/index\.js$/, 'cli/main.js')

interface Ran {
  readonly code: number | null
  readonly out: string
  readonly error: string
}
/** Runs the tool as `npx @keybay/waas` does, with the password from a pipe. */
function waas(...args: readonly string[]): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [TOOL, ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
    const said = { out: '', error: '' }
    child.stdout.on('data', chunk => {
      said.out += chunk
    })
    child.stderr.on('data', chunk => {
      said.error += chunk
    })
    child.on('error', reject)
    child.on('close', code => resolve({ code, ...said }))
    child.stdin.end(`${password}\n`)
  })
}

/** Funds a wallet with 2 SOL and 500 of a token. */
async function fund(connection: Connection, address: string): Promise<PublicKey> {
  const payer = Keypair.generate()
  const owner = new PublicKey(address)
  for (const [to, sol] of [
    [payer.publicKey, 1],
    [owner, 2],
  ] as const)
    await connection.confirmTransaction(await connection.requestAirdrop(to, sol * LAMPORTS_PER_SOL), 'confirmed')
  const mint = await createMint(connection, payer, payer.publicKey, null, 2)
  const account = await getOrCreateAssociatedTokenAccount(connection, payer, mint, owner)
  await mintTo(connection, payer, mint, account.address, payer, 500)
  return mint
}

it('[S1.12] drill: B + R replace a lost device; C + B move the funds offline if the operator is lost', async () => {
  const connection = new Connection(world.chain.url, { commitment: 'confirmed', wsEndpoint: world.chain.wsUrl })
  const { page: first, user, address, file } = await open(world, 'TWO_OF_THREE')
  const mint = await fund(connection, address)

  // The device is lost with everything its browser stored.
  await first.context().close()
  const { page: second } = await enter(world, user)
  expect(await readWallet(second)).toMatchObject({ here: false })
  const { outcome, file: backup } = await restore(second, address, 'replace-device', file)
  expect(outcome).toMatchObject({ value: { accountAddress: address, here: true, epoch: 1 } })
  await expectSigns(second, address)
  const share = await copyOwnShare(second, address)
  if (backup === undefined) throw new Error('no new backup')

  // A 3-of-5 wallet whose key was never whole.
  const big = await open(world, 'THREE_OF_FIVE', false)
  const bigMint = await fund(connection, big.address)
  const bigShare = await copyOwnShare(big.page, big.address)
  const bigBackup = await saved(big.file)

  await world.loseOperator()
  expect((await attemptAgreed(second, address)).code).toBeDefined()

  const recovered = await waas('recover', backup, share)
  expect(recovered.error).not.toContain('Error')
  const text = /Private key \(base58\): (\S+)/.exec(recovered.out)?.[1] ?? ''
  expect(Keypair.fromSecretKey(bs58.decode(text)).publicKey.toBase58()).toBe(address)
  // An old backup fails.
  expect(await waas('recover', await saved(file), share)).toMatchObject({
    code: 1,
    error: expect.stringContaining('Shares of different sets or epochs'),
  })
  const keyFile = `${share}.key.json`
  expect((await waas('recover', share, backup, '--out', keyFile)).code).toBe(0)
  expect(Keypair.fromSecretKey(Uint8Array.from(JSON.parse(await readFile(keyFile, 'utf8')))).publicKey.toBase58()).toBe(
    address,
  )

  const fresh = Keypair.generate().publicKey
  const swept = async (from: string, tokens: PublicKey, ...files: readonly string[]) => {
    const before = await connection.getBalance(fresh)
    const { code, out, error } = await waas('sweep', ...files, '--to', fresh.toBase58(), '--rpc', world.chain.url)
    expect({ code, error }).toMatchObject({ code: 0 })
    expect(out).toContain(`${from} is empty now.`)
    expect(await connection.getBalance(new PublicKey(from))).toBe(0)
    expect(await connection.getBalance(fresh)).toBeGreaterThan(before + 1.9 * LAMPORTS_PER_SOL)
    const account = await getAccount(connection, getAssociatedTokenAddressSync(tokens, fresh))
    expect(account.amount).toBe(500n)
  }
  await swept(address, mint, backup, share)
  await swept(big.address, bigMint, bigBackup, bigShare)
}, 600_000)
