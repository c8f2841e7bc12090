/** Backs up one wallet everywhere; then empty browsers restore it, each from another place, and send. */
import { readFile } from 'node:fs/promises'
import type { BackupTarget } from '@keybay/waas'
import { Connection, Keypair, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js'
import type { Frame, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { answer, grantNew, nextWindow } from './drives.js'
import { createHostStorage } from './host-storage.js'
import { agreeToRestore, beginInside, beginRestore, saved, unlock } from './recover.js'
import {
  attempt,
  call,
  chooseFile,
  enter,
  FILE,
  getTransfer,
  nextDownload,
  type Outcome,
  password,
  readWallet,
  signAgreed,
  takeCode,
} from './user.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld({ drives: true })
const { keep } = createHostStorage()
const DRIVES = ['googleDrive', 'icloud'] as const

let user = ''
let address = ''
/** Backup file and recovery code that the user saves. */
const saves = { file: '', code: '' }

async function backUp(page: Page, backup: BackupTarget): Promise<void> {
  expect(await attempt(page, 'backup', address, { backup, password })).toMatchObject({
    value: { provider: backup.provider, epoch: 0 },
  })
}

function connect() {
  return new Connection(world.chain.url, { commitment: 'confirmed', wsEndpoint: world.chain.wsUrl })
}

/** The first browser is closed before the first restore. */
beforeAll(async () => {
  const { page, user: created } = await enter(world, undefined, await world.visit(undefined, 'app', keep))
  user = created
  address = (await call(page, 'createWallet', { scheme: 'TWO_OF_THREE', backup: FILE })).wallet.accountAddress
  // The other backups are copies from the page's storage, which need no question.
  for (const provider of DRIVES) {
    const popup = nextWindow(page)
    const copying = backUp(page, { provider, password })
    await grantNew(page, await popup)
    await copying
  }
  const coding = backUp(page, { provider: 'dynamic' })
  saves.code = await takeCode(await getFrame(page, 'visible'))
  await coding
  const [popup, download] = [nextWindow(page), nextDownload(page)]
  const filing = backUp(page, { provider: 'external', keeper: 'file', password })
  await answer(await popup)
  const path = await (await download).path()
  saves.file = await saved(new Uint8Array(await readFile(path)))
  await chooseFile(await getFrame(page, 'visible'), path)
  await filing
  const connection = connect()
  await connection.confirmTransaction(await connection.requestAirdrop(new PublicKey(address), LAMPORTS_PER_SOL))
}, 400_000)

/** @returns the receiver's new balance, in lamports */
async function send(page: Page): Promise<number> {
  const connection = connect()
  const to = Keypair.generate().publicKey
  const { blockhash } = await connection.getLatestBlockhash()
  const transfer = getTransfer(address, { lamports: 10_000_000, to, blockhash })
  const signed = await signAgreed(page, address, transfer, 'signTransaction')
  await connection.confirmTransaction(await connection.sendRawTransaction(Buffer.from(signed, 'base64')))
  return connection.getBalance(to)
}

interface Place {
  readonly name: string
  readonly target: BackupTarget
  /** Default: `restoreBackup`. */
  readonly begin?: (page: Page) => Promise<Outcome>
  /** Acts as the user in the wallet's own window. */
  readonly open?: (frame: Frame) => Promise<void>
}
const places: readonly Place[] = [
  {
    name: 'restoreBackupFromGoogleDrive',
    target: { provider: 'googleDrive' },
    begin: page => beginInside(page, 'restoreBackupFromGoogleDrive', address),
    open: unlock,
  },
  ...DRIVES.map(provider => ({ name: provider, target: { provider, password } })),
  { name: 'dynamic', target: { provider: 'dynamic' }, open: frame => unlock(frame, saves.code) },
  {
    name: 'external, a file',
    target: { provider: 'external', keeper: 'file', password },
    open: frame => chooseFile(frame, saves.file),
  },
  { name: 'external, the page’s storage', target: { provider: 'external', password } },
]
it.each(places)(
  '[S1.12][S7.3] restores a wallet that getWallets lists, from $name, into an empty browser with the same address, and the wallet sends',
  async ({ target, begin, open }) => {
    const { page } = await enter(world, user, await world.visit(await world.newContext(), 'app', keep))
    expect(await readWallet(page)).toMatchObject({ here: false, accountAddress: address })
    const popup = DRIVES.some(drive => drive === target.provider) ? nextWindow(page) : undefined
    const restoring = begin?.(page) ?? beginRestore(page, address, 'add-device', target)
    const frame = await agreeToRestore(page, 'add-device')
    if (popup) await answer(await popup)
    await open?.(frame)
    expect(await restoring).toMatchObject({ value: { accountAddress: address, here: true } })
    expect(await send(page)).toBe(10_000_000)
    // The page's own function opened the window.
    expect(await page.evaluate(() => window.host.opened.length)).toBe(popup ? 1 : 0)
  },
  120_000,
)
