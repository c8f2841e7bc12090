/** Backs up one wallet everywhere; then empty browsers restore it, each from another place, and send. */
import { readFile } from 'node:fs/promises'
import type { BackupTarget } from '@keybay/waas'
import { Connection, Keypair, LAMPORTS_PER_SOL, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import type { Frame, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { allow, nextWindow } from './drives.js'
import { hostStorage } from './keeper.js'
import { chooseFile, nextDownload, password } from './person.js'
import { agreeToRestore, beginRestore, getWallet, saved, unlock } from './restore.js'
import { takeCode } from './secrets.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld({ drives: true })
const { keep } = hostStorage()
const DRIVES = ['googleDrive', 'icloud'] as const

let person = ''
let address = ''
/** Backup file and recovery code that the user kept. */
const kept = { file: '', code: '' }

async function backUp(page: Page, backup: BackupTarget): Promise<void> {
  const outcome = await page.evaluate(
    ([address, backup, password]) => window.host.outcome(window.host.keybay.waas.backup(address, { backup, password })),
    [address, backup, password] as const,
  )
  expect(outcome).toMatchObject({ value: { provider: backup.provider, epoch: 0 } })
}

function connect() {
  return new Connection(world.chain.url, { commitment: 'confirmed', wsEndpoint: world.chain.wsUrl })
}

/** The first browser is closed before the first restore. */
beforeAll(async () => {
  const page = await world.visit(undefined, 'app', keep)
  person = await world.signIn(page)
  const made = await page.evaluate(
    password =>
      window.host.keybay.waas.createWallet({ scheme: 'TWO_OF_THREE', backup: { provider: 'external', password } }),
    password,
  )
  address = made.wallet.accountAddress
  // The other backups are copies from the page's storage, which need no question.
  for (const provider of DRIVES) {
    const popup = nextWindow(page)
    const copying = backUp(page, { provider, password })
    await allow(await popup)
    await copying
  }
  const coding = backUp(page, { provider: 'dynamic' })
  kept.code = await takeCode(await getFrame(page, 'visible'))
  await coding
  const [popup, download] = [nextWindow(page), nextDownload(page)]
  const filing = backUp(page, { provider: 'external', keeper: 'file', password })
  await allow(await popup)
  const path = await (await download).path()
  kept.file = await saved(new Uint8Array(await readFile(path)))
  await chooseFile(await getFrame(page, 'visible'), path)
  await filing
  const connection = connect()
  await connection.confirmTransaction(await connection.requestAirdrop(new PublicKey(address), LAMPORTS_PER_SOL))
}, 400_000)

/** @returns the receiver's new balance, in lamports */
async function send(page: Page): Promise<number> {
  const connection = connect()
  const [from, to] = [new PublicKey(address), Keypair.generate().publicKey]
  const { blockhash } = await connection.getLatestBlockhash()
  const transfer = SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports: 10_000_000 })
  const bytes = new Transaction({ feePayer: from, recentBlockhash: blockhash })
    .add(transfer)
    .serialize({ requireAllSignatures: false })
  const signed = await page.evaluate(([address, transaction]) => window.host.signTransaction(address, transaction), [
    address,
    bytes.toString('base64'),
  ] as const)
  await connection.confirmTransaction(await connection.sendRawTransaction(Buffer.from(signed, 'base64')))
  return connection.getBalance(to)
}

interface Place {
  readonly name: string
  readonly target: BackupTarget
  /** Acts as the user in the wallet's own window. */
  readonly open?: (frame: Frame) => Promise<void>
}
const places: readonly Place[] = [
  ...DRIVES.map(provider => ({ name: provider, target: { provider, password } })),
  { name: 'dynamic', target: { provider: 'dynamic' }, open: frame => unlock(frame, kept.code) },
  {
    name: 'external, a file',
    target: { provider: 'external', keeper: 'file', password },
    open: frame => chooseFile(frame, kept.file),
  },
  { name: 'external, the page’s storage', target: { provider: 'external', password } },
]
it.each(places)(
  '[S1.12] restores a wallet from $name into an empty browser with the same address, and the wallet sends',
  async ({ target, open }) => {
    const page = await world.visit(await world.newContext(), 'app', keep)
    await world.signIn(page, person)
    expect(await getWallet(page)).toMatchObject({ here: false, accountAddress: address })
    const popup = DRIVES.some(drive => drive === target.provider) ? nextWindow(page) : undefined
    const restoring = beginRestore(page, address, 'add-device', target)
    const frame = await agreeToRestore(page, 'add-device')
    if (popup) await allow(await popup)
    await open?.(frame)
    expect(await restoring).toMatchObject({ value: { accountAddress: address, here: true } })
    expect(await send(page)).toBe(10_000_000)
    // The page's own function opened the window.
    expect(await page.evaluate(() => window.host.opened.length)).toBe(popup ? 1 : 0)
  },
  120_000,
)
