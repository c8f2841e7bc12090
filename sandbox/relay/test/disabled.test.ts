/** `embeddedWallets.enabled: false`: the relays create no wallet, and users keep access to existing wallets. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Api, askLocalRelay, startApi } from '@keybay/sandbox-api'
import { settings } from '@keybay/sandbox-api/testing/client'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { sealingKeyPair } from '@keybay/waas/mpc'
import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  asDevice,
  ask,
  b64,
  create,
  importKey,
  list,
  newSeed,
  only,
  reshare,
  sign,
  type Wallet,
} from './frame/index.js'
import { APP, startWorld } from './world.js'

const SETTINGS_FOR = 61_000
const SCHEMES = ['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const
const message = new TextEncoder().encode('still mine')

const dataDir = await mkdtemp(join(tmpdir(), 'keybay-disabled-'))
const environments = { local: { ...settings, embeddedWallets: { enabled: true, mostPerUser: 50 } } }
const world = await startWorld({ api: { environments, dataDir, port: await freePort() } })
const r1 = only(world.r1)
const user = await world.user()
const wallet = await create(r1, user, { scheme: 'TWO_OF_THREE', exportable: true })
let restarted: Api | undefined
beforeAll(() => startAgain(false))

/** Changes the API's settings file as the operator and restarts the API. */
async function startAgain(enabled: boolean): Promise<void> {
  const { api, inbox } = world.api
  await (restarted ?? api).stop()
  restarted = await startApi({
    mode: 'sandbox',
    port: api.port,
    dataDir,
    environments: { local: { ...settings, embeddedWallets: { enabled, mostPerUser: 50 } } },
    smtpUrl: inbox.smtpUrl,
    smsUrl: `http://127.0.0.1:${inbox.port}/sms`,
    recordKeys: askLocalRelay(world.r1.internalUrl),
    limitFactor: 100,
  })
}

function relaysAskAgain() {
  for (const { clock } of [world.r1, world.r2]) clock.advance(SETTINGS_FOR)
}

afterAll(async () => {
  await Promise.all([world.r1.stop(), world.r2.stop()])
  await restarted?.stop()
  await world.api.inbox.stop()
  await rm(dataDir, { recursive: true, force: true })
})

it('R2 refuses a new wallet while wallets are disabled, even if R1 would still create the wallet', async () => {
  // R1 has cached the old settings; R2 has not requested them yet.
  await expect(create(r1, user, { scheme: 'THREE_OF_FIVE' })).rejects.toThrow(
    /403 .*embedded_wallets_disabled.*"by":"R2"/,
  )
  const { answer } = await importKey(r1, user, newSeed(), 'THREE_OF_FIVE')
  expect(answer).toMatchObject({ status: 403, body: { code: 'embedded_wallets_disabled' } })
  expect(await list(r1, user)).toHaveLength(1)
})

it.each(SCHEMES)(
  'R1 refuses to create or import a wallet of %s while wallets are disabled, and names the setting',
  async scheme => {
    relaysAskAgain()
    for (const exportable of [true, false])
      await expect(create(r1, user, { scheme, exportable })).rejects.toThrow(
        /403 .*embeddedWallets\.enabled at the API/,
      )
    const { answer } = await importKey(r1, user, newSeed(), scheme)
    expect(answer).toMatchObject({ status: 403, body: { code: 'embedded_wallets_disabled' } })
    expect(await list(r1, user)).toMatchObject([{ walletId: wallet.walletId }])
  },
)

it('an existing wallet is still listed, signs, is exported, refreshed and restored while wallets are disabled', async () => {
  relaysAskAgain()
  const signs = async (signer: Wallet) => {
    const { status, signature } = await sign(r1, signer, message)
    expect(status).toBe(200)
    expect(ed25519.verify(signature ?? new Uint8Array(64), message, bs58.decode(signer.address))).toBe(true)
  }
  await signs(wallet)
  const { walletId, setId } = wallet
  const operation = asDevice(wallet, 'exportPrivateKey', { consent: true })
  const body = { requestId: crypto.randomUUID(), setId, sealingKey: b64(sealingKeyPair().publicKey), hostOrigin: APP }
  expect((await ask(r1, user, `/wallets/${walletId}/export`, body, operation)).status).toBe(200)
  const refreshing = await reshare(r1, wallet, { purpose: 'refresh' })
  const refreshed = refreshing.after(wallet, await refreshing.commit())
  await signs(refreshed)
  const joining = await reshare(r1, refreshed, { purpose: 'addDevice', by: 'B1' })
  await signs(joining.after(refreshed, await joining.commit()))
  const restoring = await reshare(r1, refreshed, { purpose: 'replaceDevice', by: 'B1' })
  await signs(restoring.after(refreshed, await restoring.commit()))
})

it('wallets can be created again once the operator enables them', async () => {
  await startAgain(true)
  relaysAskAgain()
  await create(r1, user, { scheme: 'THREE_OF_FIVE' })
  expect(await list(r1, user)).toHaveLength(2)
})
