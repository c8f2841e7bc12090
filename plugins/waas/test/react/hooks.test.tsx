// @vitest-environment happy-dom
/** The hooks over the real kit and client. The frames answer for wallets without keys. */
import { accountNotFound, createKeybay, definePlugin, type Kernel, KeybayError } from '@keybay/kernel'
import { KeybayProvider } from '@keybay/react'
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { waas } from '../../src/index.js'
import { type Handlers, mfaRequired, type WaasMessages, type WaasWallet } from '../../src/protocol/index.js'
import {
  useAddDevice,
  useCreateWallet,
  useDelegates,
  useEmbeddedWallets,
  useImportPrivateKey,
  useRefreshShares,
  useReshare,
  useRestoreBackup,
  useRevokeSet,
  useSetPolicy,
  useWalletBackup,
  useWalletExport,
  useWalletPassword,
  useWalletProgress,
} from '../../src/react/index.js'
import { type Frames, installFrames, preparePage } from '../client/frames.js'
import { standInAccount } from '../client/stand-in-account.js'
import { standInWallet } from '../client/stand-in-wallet.js'

preparePage()
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
const { accountAddress: address, setId } = standInWallet
const OTHER_SET = 's2'
const failure = { code: mfaRequired.code, message: mfaRequired.message }

/** The frame's wallets, and every message that it received. */
interface Kept {
  wallets: readonly WaasWallet[]
  readonly asked: { readonly type: string; readonly payload: unknown }[]
  lists: number
  fails: boolean
}
let kept: Kept
let frames: Frames
const roots: Root[] = []
const opened: { dispose(): void }[] = []

function changed(change: Partial<WaasWallet>): { readonly wallet: WaasWallet } {
  const wallet = { ...(kept.wallets[0] ?? standInWallet), ...change }
  kept.wallets = [wallet]
  return { wallet }
}
const handlers: Handlers<WaasMessages> = {
  getWallets() {
    kept.lists += 1
    if (kept.fails) throw new KeybayError(failure)
    return kept.wallets
  },
  getWallet({ accountAddress }) {
    const wallet = kept.wallets.find(wallet => wallet.accountAddress === accountAddress)
    if (!wallet) throw new KeybayError(accountNotFound)
    return { wallet, ready: true, needs: [] }
  },
  createWalletAccount(payload, { progress }) {
    kept.asked.push({ type: 'create', payload })
    progress({ step: 'deal', number: 1, of: 3 })
    progress({ step: 'confirm', number: 3, of: 3 })
    return changed({})
  },
  importPrivateKey(payload) {
    kept.asked.push({ type: 'import', payload })
    return changed({ origin: 'imported' })
  },
  refreshWalletAccountShares(payload) {
    kept.asked.push({ type: 'refresh', payload })
    return changed({ epoch: 1 })
  },
  reshare(payload) {
    kept.asked.push({ type: 'reshare', payload })
    return changed({ thresholdSignatureScheme: payload.newThresholdSignatureScheme, epoch: 2 })
  },
  backupKeyShares(payload) {
    kept.asked.push({ type: 'backup', payload })
    changed({ backup: { state: 'current', providers: [payload.backup.provider], backedUpAt: 7 } })
    return { provider: payload.backup.provider, epoch: 0, backedUpAt: 7 }
  },
  verifyBackup(payload) {
    kept.asked.push({ type: 'verify', payload })
    changed({ backup: { state: 'none', providers: [] } })
    throw new KeybayError({ code: 'frame_backup_missing', message: 'No backup of this wallet was found there' })
  },
  exportPrivateKey(payload) {
    kept.asked.push({ type: 'export', payload })
    changed({ exported: true })
    return null
  },
  exportClientKeyshares(payload) {
    kept.asked.push({ type: 'exportShares', payload })
    return { keyShares: ['sealed'] }
  },
  restoreBackup(payload) {
    kept.asked.push({ type: 'restore', payload })
    return changed({ here: true })
  },
  setPassword(payload) {
    kept.asked.push({ type: 'setPassword', payload })
    changed({ passwordEncrypted: true })
    return null
  },
  updatePassword(payload) {
    kept.asked.push({ type: 'updatePassword', payload })
    return null
  },
  verifyPassword: ({ password }) => password === 'the right one',
  requiresPasswordForOperation: ({ walletOperation }) => walletOperation !== 'NO_OPERATION',
  delegateKeyShares(payload) {
    kept.asked.push({ type: 'delegate', payload })
    const { policy } = payload
    changed({
      sets: [
        ...standInWallet.sets,
        { ...(standInWallet.sets[0] ?? never()), setId: OTHER_SET, kind: 'delegate', name: 'Salaries', policy },
      ],
    })
    return { setId: OTHER_SET, sealedShare: Uint8Array.of(1, 2, 3) }
  },
  addDevice(payload) {
    kept.asked.push({ type: 'addDevice', payload })
    return changed({ here: true })
  },
  revokeSet(payload) {
    kept.asked.push({ type: 'revokeSet', payload })
    const sets = kept.wallets[0]?.sets ?? standInWallet.sets
    return changed({ sets: sets.map(set => (set.setId === payload.setId ? { ...set, revoked: true } : set)) })
  },
  setPolicy(payload) {
    kept.asked.push({ type: 'setPolicy', payload })
    return changed({ policy: payload.policy ?? undefined })
  },
}

function never(): never {
  throw new Error('the stand-in has a set')
}

beforeEach(() => {
  localStorage.clear()
  kept = { wallets: [], asked: [], lists: 0, fails: false }
  frames = installFrames(() => handlers)
})
afterEach(async () => {
  await act(async () => {
    for (const root of roots.splice(0)) root.unmount()
  })
  for (const keybay of opened.splice(0)) keybay.dispose()
  frames.restore()
})

function openPage(signedIn = true) {
  let kernel: Kernel | undefined
  const spy = definePlugin({
    id: 'spy',
    version: '0.1.0',
    setup(given) {
      kernel = given
      return {}
    },
  })
  const keybay = createKeybay({
    appName: 'Test',
    logLevel: 'silent',
    plugins: [standInAccount(undefined, signedIn), waas({ baseApiUrl: 'http://localhost:4100/api/v0' }), spy],
  })
  if (!kernel) throw new Error('setup did not run')
  opened.push(keybay)
  return { keybay, kernel }
}
type Page = ReturnType<typeof openPage>['keybay']

function Probe({ run }: { readonly run: () => void }): ReactNode {
  run()
  return null
}
/** The last return value of a hook. */
async function render<T>(page: Page, useIt: () => T) {
  const seen: T[] = []
  const root = createRoot(document.createElement('div'))
  roots.push(root)
  const tree = (
    <KeybayProvider keybay={page}>
      <Probe run={() => seen.push(useIt())} />
    </KeybayProvider>
  )
  await act(async () => root.render(tree))
  return {
    get now(): T {
      const last = seen.at(-1)
      if (last === undefined) throw new Error('Nothing rendered')
      return last
    },
    async until(holds: (now: T) => boolean) {
      // Real time, in which React renders by itself.
      vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
      await vi.waitUntil(() => holds(this.now), { timeout: 5000, interval: 5 })
      vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
    },
  }
}

it('useEmbeddedWallets lists nothing and loads no frame while no user is signed in', async () => {
  const view = await render(openPage(false).keybay, useEmbeddedWallets)
  expect(view.now).toMatchObject({ status: 'none' })
  expect(view.now.wallets).toBeUndefined()
  expect(frames.loaded).toEqual([])
})

it('loads the wallet list once for all components, adds a created wallet and reports its progress', async () => {
  const { keybay } = openPage()
  const other = await render(keybay, useEmbeddedWallets)
  const view = await render(keybay, () => ({
    list: useEmbeddedWallets(),
    create: useCreateWallet(),
    progress: useWalletProgress(),
  }))
  await view.until(({ list }) => list.status === 'ready')
  expect(view.now.list.wallets).toEqual([])
  expect(kept.lists).toBe(1)
  act(() => view.now.create.run({ scheme: 'TWO_OF_TWO', exportable: false }))
  expect(view.now.create.status).toBe('pending')
  await view.until(({ create, list }) => create.status === 'success' && list.wallets?.length === 1)
  await other.until(({ wallets }) => wallets?.length === 1)
  expect(view.now.create.data?.wallet.accountAddress).toBe(address)
  expect(view.now.progress).toMatchObject({ step: 'confirm', number: 3, of: 3, operation: 'createWalletAccount' })
  expect(kept.asked).toMatchObject([
    { type: 'create', payload: { thresholdSignatureScheme: 'TWO_OF_TWO', exportable: false } },
  ])
})

it('keeps the old wallet list when a refresh fails, and refreshes again on request', async () => {
  kept.wallets = [standInWallet]
  const view = await render(openPage().keybay, useEmbeddedWallets)
  await view.until(({ status }) => status === 'ready')
  kept.fails = true
  act(() => view.now.refresh.run())
  await view.until(({ status }) => status === 'error')
  expect(view.now.error).toBeInstanceOf(KeybayError)
  expect(view.now.wallets).toHaveLength(1)
  kept.fails = false
  act(() => view.now.refresh.run())
  await view.until(({ status }) => status === 'ready')
  expect(view.now.refresh.status).toBe('success')
})

it('clears the wallet list when the user signs out, and loads the next user’s list', async () => {
  kept.wallets = [standInWallet]
  const { keybay, kernel } = openPage()
  const view = await render(keybay, useEmbeddedWallets)
  await view.until(({ status }) => status === 'ready')
  await act(async () => kernel.session.clear())
  await view.until(({ status }) => status === 'none')
  expect(view.now.wallets).toBeUndefined()
  kept.wallets = []
  const token = { value: 'token-of-ines', expiresAt: Date.now() + 3_600_000 }
  await act(async () => kernel.session.set({ status: 'authenticated', userId: 'ines' }, token))
  await view.until(({ status }) => status === 'ready')
  expect(view.now.wallets).toEqual([])
})

it('the wallet hooks import, refresh, reshare, add a device, change the policy and revoke a share set', async () => {
  kept.wallets = [standInWallet]
  const view = await render(openPage().keybay, () => ({
    list: useEmbeddedWallets(),
    add: useAddDevice(),
    enter: useImportPrivateKey(),
    refresh: useRefreshShares(),
    reshare: useReshare(),
    policy: useSetPolicy(),
    revoke: useRevokeSet(),
  }))
  await view.until(({ list }) => list.status === 'ready')
  const policy = { dailyLimit: 5n, programs: [], messages: false }
  act(() => view.now.enter.run({ scheme: 'TWO_OF_TWO', privateKey: 'secret' }))
  await view.until(({ enter }) => enter.data?.wallet.origin === 'imported')
  act(() => view.now.refresh.run(address))
  await view.until(({ refresh }) => refresh.data?.wallet.epoch === 1)
  act(() => view.now.reshare.run(address, { to: 'THREE_OF_FIVE' }))
  await view.until(({ reshare }) => reshare.data?.wallet.thresholdSignatureScheme === 'THREE_OF_FIVE')
  act(() => view.now.add.run(address))
  await view.until(({ add }) => add.data?.here === true)
  act(() => view.now.policy.run(address, policy))
  await view.until(({ policy: { data } }) => data?.policy?.dailyLimit === 5n)
  act(() => view.now.revoke.run(address, setId))
  await view.until(({ revoke, list }) => revoke.status === 'success' && list.wallets?.[0]?.sets[0]?.revoked === true)
  expect(kept.asked.map(({ type }) => type)).toEqual([
    'import',
    'refresh',
    'reshare',
    'addDevice',
    'setPolicy',
    'revokeSet',
  ])
})

it('useWalletBackup shows the backup status of a wallet, backs up the wallet and verifies the backup', async () => {
  kept.wallets = [{ ...standInWallet, thresholdSignatureScheme: 'TWO_OF_THREE' }]
  const view = await render(openPage().keybay, () => useWalletBackup(address))
  expect(view.now).toMatchObject({ status: undefined, hasBackupPart: undefined })
  await view.until(({ status }) => status?.state === 'none')
  expect(view.now.hasBackupPart).toBe(true)
  act(() => view.now.backup.run({ backup: { provider: 'icloud', password: 'p' } }))
  await view.until(({ backup, status }) => backup.data?.provider === 'icloud' && status?.state === 'current')
  expect(view.now.status?.providers).toEqual(['icloud'])
  // A missing backup changes the list.
  act(() => view.now.verify.run({ backup: { provider: 'icloud', password: 'p' } }))
  await view.until(({ verify, status }) => verify.error?.code === 'frame_backup_missing' && status?.state === 'none')
  expect(kept.asked.map(({ type }) => type)).toEqual(['backup', 'verify'])
})

it('exports the key in the wallet’s window without returning it to the page, and exports and restores shares', async () => {
  kept.wallets = [standInWallet]
  const view = await render(openPage().keybay, () => ({
    list: useEmbeddedWallets(),
    ...useWalletExport(),
    restore: useRestoreBackup(),
  }))
  await view.until(({ list }) => list.status === 'ready')
  const displayContainer = document.body.appendChild(document.createElement('div'))
  act(() => view.now.exportKey.run(address, { displayContainer }))
  await view.until(({ exportKey, list }) => exportKey.status === 'success' && list.wallets?.[0]?.exported === true)
  expect(view.now.exportKey.data).toBeUndefined()
  act(() => view.now.exportShares.run(address))
  await view.until(({ exportShares }) => exportShares.data?.[0] === 'sealed')
  act(() => view.now.restore.run(address, { displayContainer, backup: { provider: 'icloud' }, mode: 'replace-device' }))
  await view.until(({ restore }) => restore.data?.here === true)
  expect(kept.asked).toMatchObject([
    { type: 'export', payload: { accountAddress: address } },
    { type: 'exportShares', payload: { accountAddress: address } },
    { type: 'restore', payload: { backup: { provider: 'icloud' }, mode: 'replace-device' } },
  ])
  const views = frames.loaded.map(({ searchParams }) => searchParams.get('instanceId'))
  // The hidden frame, and a visible frame for each.
  expect(new Set(views).size).toBe(4)
  displayContainer.remove()
})

it('useWalletPassword sets, changes and checks the password, and says which operations require the password', async () => {
  kept.wallets = [standInWallet]
  const view = await render(openPage().keybay, () => ({ list: useEmbeddedWallets(), ...useWalletPassword(address) }))
  await view.until(({ list }) => list.status === 'ready')
  act(() => view.now.set.run())
  await view.until(({ list, set }) => set.status === 'success' && list.wallets?.[0]?.passwordEncrypted === true)
  act(() => view.now.update.run({ existingPassword: 'one', newPassword: 'the right one' }))
  await view.until(({ update }) => update.status === 'success')
  act(() => view.now.verify.run('the right one'))
  await view.until(({ verify }) => verify.data === true)
  act(() => view.now.verify.run('another'))
  await view.until(({ verify }) => verify.data === false)
  for (const [operation, needed] of [
    ['SIGN_MESSAGE', true],
    ['NO_OPERATION', false],
  ] as const) {
    act(() => view.now.required.run(operation))
    await view.until(({ required }) => required.data === needed)
  }
  expect(kept.asked).toMatchObject([
    { type: 'setPassword', payload: { accountAddress: address } },
    { type: 'updatePassword', payload: { existingPassword: 'one', newPassword: 'the right one' } },
  ])
  expect(kept.asked[0]?.payload).not.toHaveProperty('newPassword', expect.anything())
})

it('useDelegates lets a server sign, lists the server by name and revokes its access', async () => {
  kept.wallets = [standInWallet]
  const policy = { dailyLimit: 5n, programs: [], messages: false }
  const view = await render(openPage().keybay, () => ({ ...useDelegates(address), list: useEmbeddedWallets() }))
  expect(view.now.delegates).toBeUndefined()
  await view.until(({ delegates }) => delegates?.length === 0)
  const options = { delegatePublicKey: new Uint8Array(32).fill(9), delegateName: 'Salaries', policy }
  act(() => view.now.delegate.run(options))
  await view.until(({ delegate }) => delegate.status === 'success')
  expect(view.now.delegate.data).toEqual({ setId: OTHER_SET, sealedShare: Uint8Array.of(1, 2, 3) })
  // The set counts once the server has taken its share. The page does not learn that, so it reads the list again.
  act(() => view.now.list.refresh.run())
  await view.until(({ delegates }) => delegates?.length === 1)
  expect(view.now.delegates).toMatchObject([{ setId: OTHER_SET, name: 'Salaries', policy }])
  act(() => view.now.revoke.run(OTHER_SET))
  await view.until(({ revoke, delegates }) => revoke.status === 'success' && delegates?.length === 0)
  expect(kept.asked).toMatchObject([
    { type: 'delegate', payload: options },
    { type: 'revokeSet', payload: { setId: OTHER_SET } },
  ])
})

it('useEmbeddedWallets lists nothing in server rendering', () => {
  const seen: string[] = []
  renderToString(
    <KeybayProvider keybay={openPage().keybay}>
      <Probe run={() => seen.push(useEmbeddedWallets().status)} />
    </KeybayProvider>,
  )
  expect(seen).toEqual(['none'])
})

it('a wallet hook without the waas plugin names the missing plugin', () => {
  const keybay = createKeybay({ appName: 'Test', logLevel: 'silent', plugins: [] })
  const ask = () =>
    renderToString(
      <KeybayProvider keybay={keybay}>
        <Probe run={useCreateWallet} />
      </KeybayProvider>,
    )
  expect(ask).toThrow("add waas() of '@keybay/waas' to plugins")
})
