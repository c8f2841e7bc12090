/** Exports the private key, and copies this device's share. Only in the visible frame: the page never sees a key. */
import { KeybayError, toBase64, toHex } from '@keybay/kernel/spec'
import { combineShares, encodeSolanaKey, erase, eraseShare, exportSolanaKey, sealBackupWith } from '@keybay/waas/mpc'
import { recoverOfflineWith } from '@keybay/waas/offline'
import { consentRequired, type OfflineExport, type OnAccount } from '@keybay/waas/protocol'
import type { Authority } from '@keybay/waas/relay-client'
import * as v from 'valibot'
import { assertLong } from '../backup/secret.js'
import { addressing, openWindow } from '../core/chain-kit.js'
import type { Frame } from '../core/frame.js'
import { getDevice, type Job, provedBy } from '../core/job.js'
import { releaseShares } from '../core/release.js'
import { keptForCopy, keptWallet, readyShare } from '../core/share.js'
import { field, paragraph } from '../screen/dom.js'
import { agreeTo } from '../screen/questions.js'
import type { Screen } from '../screen/screen.js'
import type { KeptSet } from '../store/kept.js'
import { askNew } from './ask-new.js'

interface WholeKey {
  readonly bytes: Uint8Array
  readonly text: () => string
  readonly use: string
}

async function wholeKey(job: Job, stored: KeptSet, password: string | undefined): Promise<WholeKey> {
  const { ready } = await readyShare(job, stored, password)
  const { shares, sealedSeed } = await releaseShares(job, stored, ready.share)
  try {
    const all = [ready.share, ...shares]
    if (sealedSeed) {
      const bytes = exportSolanaKey(all, sealedSeed)
      const use = 'Paste it into Phantom, or another Solana wallet, under “Import private key”.'
      return { bytes, text: () => encodeSolanaKey(bytes), use }
    }
    const bytes = combineShares(all)
    if (stored.chainName !== 'SOL')
      return {
        bytes,
        text: () => (stored.chainName === 'EVM' ? `0x${toHex(bytes)}` : toHex(bytes)),
        use: 'It is the private key itself: import it into another wallet of this chain as it is.',
      }
    const use =
      'This key was never whole before and has no seed, so other wallets cannot import it. Use it with the tool “waas sweep”, which sends everything to another address.'
    return { bytes, text: () => toHex(bytes), use }
  } finally {
    eraseShare(...shares)
  }
}

/** Text that a user without a second factor types before the key shows. */
const WORD = 'export'

/** Second step if the user entered neither a code nor a password: clicks alone show no key. */
async function confirmExport(screen: Screen, address: string, signal: AbortSignal): Promise<void> {
  const { row, input } = field(`Type “${WORD}” to continue`, {
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    required: true,
  })
  await screen.ask({
    title: 'Is it safe to show your key here?',
    content: [
      paragraph('Make sure that no one sees your screen, and that you aren’t sharing it.'),
      paragraph('No app and no support team needs your private key. If someone asked you for it, choose Cancel.'),
      row,
    ],
    action: 'Continue',
    guard: { address },
    signal,
    read() {
      if (input.value.trim().toLowerCase() !== WORD) throw new Error(`Type “${WORD}” to continue.`)
    },
  })
}

/**
 * Shows the whole key to the user (S1.9). The page never receives it.
 * @throws KeybayError `consent_required` in a hidden frame; `mfa_required`, `user_rejected`, `frame_share_elsewhere`
 */
export async function exportPrivateKey(job: Job, payload: OnAccount) {
  const { frame, context } = job
  const { accountAddress: address } = payload
  const { signal } = context
  const stored = await keptWallet(job, address)
  if (!frame.screen.visible) throw new KeybayError(consentRequired)
  const { password } = await readyShare(job, stored, payload.password)
  const factor = await job.factor()
  const question = {
    title: 'Export your private key?',
    sentences: [
      'This window will put your private key together. Anyone who sees it can take everything in this wallet.',
      'The wallet then counts as exported. Your limits apply to this service only, not to anyone who has the key.',
    ],
    action: 'Export the key',
  }
  const proved = provedBy(job, await agreeTo(frame.screen, question, { address, factor, signal }))
  const isPasswordTyped = password !== undefined && payload.password === undefined
  if (!factor && !isPasswordTyped) await confirmExport(frame.screen, address, signal)
  const { showKey } = await openWindow(frame)
  frame.screen.busy('Putting your key together…')
  const { bytes, text, use } = await wholeKey(proved, stored, password)
  const { clock } = frame
  await showKey(frame.screen, { address, text, use, erase: () => erase(bytes), clock, self: window, signal })
  return null
}

async function askPermit(frame: Frame, stored: KeptSet, authority: Authority): Promise<void> {
  await frame.relay.post({
    path: `/wallets/${stored.walletId}/permit`,
    body: { setId: stored.setId, operation: 'exportClientKeyshares' },
    answer: v.object({}),
    authority,
    device: { ...getDevice(stored), consent: true },
  })
}

/**
 * Copies this device's share into its own envelope for a later offline recovery. The envelope is base64. It opens with
 * a password that the user chooses here, the wallet's own, or the page's; in the last case the user reads that the page
 * can open it.
 * @throws as `exportPrivateKey`; `frame_password_short`
 */
export async function exportClientKeyshares(job: Job, payload: OnAccount) {
  const { frame, context } = job
  const { accountAddress: address } = payload
  const { signal } = context
  const stored = await keptForCopy(job, address)
  if (!frame.screen.visible) throw new KeybayError(consentRequired)
  const { ready, password } = await readyShare(job, stored, payload.password)
  if (password === undefined && payload.password !== undefined) assertLong(payload.password)
  // Copying a share that R1 revoked involves no relay, and so no second factor.
  const factor = stored.retired ? undefined : await job.factor()
  const question = {
    title: 'Copy this device’s key share?',
    sentences: [
      'The copy is encrypted. With your backup it makes the whole key, without any service: keep the two apart.',
    ],
    problems: payload.password === undefined ? [] : ['The page knows the password of the copy and can open it.'],
    action: 'Make the copy',
  }
  const { authority } = provedBy(job, await agreeTo(frame.screen, question, { address, factor, signal }))
  if (!stored.retired) await askPermit(frame, stored, authority)
  const secret = password ?? payload.password ?? (await askNew(frame)(undefined, signal))
  frame.screen.busy('Encrypting the copy…')
  const { argon2id } = frame
  const { sealedSeed } = stored
  const envelope = await sealBackupWith({ shares: [ready.share], sealedSeed, password: secret, argon2id })
  return { keyShares: [toBase64(envelope)] }
}

/**
 * Recovers a key (S7.3) without relay, storage or network, except for the code of another chain. The page supplies the
 * input and receives the result.
 */
export async function offlineExportPrivateKey(frame: Frame, { base64Args, chainName }: OfflineExport) {
  return recoverOfflineWith(base64Args, frame.argon2id, await addressing(frame, chainName))
}
