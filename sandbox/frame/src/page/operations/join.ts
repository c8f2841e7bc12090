/**
 * Adds a device, or this one on another site, with its own share set. The new browser requests a share and shows a
 * code. In a browser with a share the user types two groups of the code, and it deals; only the new browser can open the dealt
 * share. Both send the same message: the browser without a share makes the request.
 */
import { accountNotFound, KeybayError, toBase64Url } from '@keybay/kernel/spec'
import { sealingKeyPair } from '@keybay/waas/mpc'
import { type AddDevice, consentRequired, type WalletAnswer } from '@keybay/waas/protocol'
import {
  joinOpened,
  joinsSchema,
  newDeviceKey,
  publicJwk,
  type RelayWallet,
  type TakenShare,
  takeDealt,
  takenSchema,
  thumbprint,
} from '@keybay/waas/relay-client'
import { dealForOther } from '../ceremony/join.js'
import { addressing, openWindow } from '../core/chain-kit.js'
import { getDevice, type Job, provedBy } from '../core/job.js'
import { keptWallet, readyShare } from '../core/share.js'
import { readPolicyHash, verifyWallet, walletView } from '../core/views.js'
import { frameError } from '../errors/errors.js'
import { paragraph } from '../screen/dom.js'
import { agree } from '../screen/questions.js'
import { sealShare } from '../store/keep.js'
import type { KeptSet } from '../store/kept.js'
import { finishCreation } from './finish.js'
import { askTwoGroups, joinCode } from './join-code.js'
import { restoreBackup } from './restore.js'

/** Interval between two polls for the dealt share, in ms. */
const LOOK_EVERY = 2_000

async function ask(job: Job, wallet: RelayWallet): Promise<WalletAnswer> {
  const { frame, user, authority, context } = job
  const { walletId, address, scheme } = wallet
  const addressOf = await addressing(frame, wallet.chainName)
  const { waitForOtherDevice } = await openWindow(frame)
  await frame.store.assertDurable()
  const [keyPair, pair] = [await newDeviceKey(), sealingKeyPair()]
  const [joinId, setId, deviceKey] = [crypto.randomUUID(), crypto.randomUUID(), await publicJwk(keyPair)]
  const device = { key: keyPair.privateKey, walletId, setId, epoch: 0 }
  const sealingKey = toBase64Url(pair.publicKey)
  const { host: name } = new URL(frame.hostOrigin)
  await frame.relay.post({
    path: `/wallets/${walletId}/joins/open`,
    body: { joinId, setId, kind: 'device', deviceKey, sealingKey, name },
    answer: joinOpened,
    authority,
    device,
  })
  const look = (signal: AbortSignal): Promise<TakenShare> =>
    new Promise((resolve, reject) => {
      const once = async () => {
        if (signal.aborted) return
        const path = `/wallets/${walletId}/joins/take`
        const taken = await frame.relay.post({ path, body: { joinId }, answer: takenSchema, authority, device })
        if (taken.status === 'dealt') resolve(takeDealt(taken, { walletId, setId, address, addressOf, scheme, pair }))
        else frame.clock.after(LOOK_EVERY, again)
      }
      const again = () => void once().catch(reject)
      again()
    })
  const code = await joinCode({ deviceKey: await thumbprint(deviceKey), sealingKey })
  const { share, commit, expiresIn } = await waitForOtherDevice(frame.screen, {
    address,
    code: code.join('-'),
    until: look,
    signal: context.signal,
  })
  const owner = { user, walletId, setId }
  const stored: KeptSet = {
    ...owner,
    kind: 'device',
    address,
    chainName: wallet.chainName,
    scheme,
    share: await sealShare(frame, owner, share, undefined),
    backups: [],
    deviceKey: keyPair,
    creation: { operation: 'addDevice', ...commit, expiresAt: frame.clock.now() + expiresIn },
    createdAt: frame.clock.now(),
  }
  share.secret.fill(0)
  await frame.store.put(stored)
  return { wallet: (await finishCreation(job, stored, { target: undefined, password: undefined })).wallet }
}

async function admit(job: Job, payload: AddDevice, wallet: RelayWallet): Promise<WalletAnswer> {
  const { frame, user, context } = job
  const stored = await keptWallet(job, payload.accountAddress, 'primary')
  const device = getDevice(stored)
  const path = `/wallets/${stored.walletId}/joins/list`
  const { joins } = await frame.relay.post({ path, body: {}, answer: joinsSchema, authority: job.authority, device })
  if (joins.length === 0) throw frameError('frame_join_missing')
  const codes = await Promise.all(joins.map(joinCode))
  const typed = askTwoGroups()
  const names = [...new Set(joins.map(({ name }) => name))]
  const mfaToken = await agree(
    frame.screen,
    {
      title: 'Add this device?',
      content: [
        ...names.map(name => paragraph(`“${name}” asks to sign for this wallet.`)),
        paragraph('The new device shows a code. Enter these two groups of it.'),
        ...typed.rows,
      ],
      action: 'Add',
      check: () => typed.check(codes),
    },
    { address: stored.address, factor: await job.factor(), signal: context.signal },
  )
  const join = joins.find((_, index) => typed.fits(codes[index] ?? []))
  if (!join) throw frameError('frame_join_missing')
  const { authority } = provedBy(job, mfaToken)
  const { ready } = await readyShare(job, stored, payload.password)
  await dealForOther({
    frame,
    authority,
    device: { ...device, consent: true },
    deviceKey: stored.deviceKey,
    share: ready.share,
    scheme: stored.scheme,
    recipient: { purpose: 'addDevice', joinId: join.joinId, setId: join.setId, sealingKey: join.sealingKey },
    policyHash: await readPolicyHash(job, stored.address, stored),
  })
  const all = (await frame.store.list(user)).filter(({ walletId }) => walletId === stored.walletId)
  return { wallet: walletView(await verifyWallet(frame, user, wallet), all) }
}

/**
 * @throws KeybayError `frame_join_missing` if no device requests to join; `account_not_found` before wallets were
 *   listed here
 */
export async function addDevice(job: Job, payload: AddDevice) {
  const { frame } = job
  const { accountAddress } = payload
  if (!frame.screen.visible) throw new KeybayError(consentRequired)
  const wallet = await frame.store.known(job.user, accountAddress)
  if (!wallet) throw new KeybayError(accountNotFound)
  const has = (await frame.store.list(job.user)).some(
    ({ address, creation, retired }) => address === accountAddress && !creation && !retired,
  )
  if (has) return admit(job, payload, wallet)
  const { backup } = payload
  return backup ? restoreBackup(job, { ...payload, backup }) : ask(job, wallet)
}
