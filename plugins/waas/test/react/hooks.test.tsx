// @vitest-environment happy-dom
/** The hooks over the real kit and client. The frames answer for wallets without keys. */
import { accountNotFound, createKeybay, KeybayError } from '@keybay/kernel'
import { KeybayProvider } from '@keybay/react'
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Handlers, mfaRequired, type WaasMessages, type WaasWallet } from '../../src/protocol/index.js'
import * as hooks from '../../src/react/index.js'
import { createContainer, type Kit, open } from '../client/kit.js'
import { standInWallet } from '../client/stand-in-wallet.js'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
const { accountAddress: address, setId } = standInWallet
const OTHER_SET = 's2'
const roots: Root[] = []

let wallets: readonly WaasWallet[] = []
let isListBroken = false

function change(changes: Partial<WaasWallet>): { readonly wallet: WaasWallet } {
  const wallet = { ...(wallets[0] ?? standInWallet), ...changes }
  wallets = [wallet]
  return { wallet }
}

function changeSilently(changes: Partial<WaasWallet>): null {
  change(changes)
  return null
}
const handlers: Handlers<WaasMessages> = {
  getWallets() {
    if (isListBroken) throw new KeybayError(mfaRequired)
    return wallets
  },
  getWallet({ accountAddress }) {
    const wallet = wallets.find(wallet => wallet.accountAddress === accountAddress)
    if (!wallet) throw new KeybayError(accountNotFound)
    return { wallet, ready: true, needs: [] }
  },
  createWalletAccount(_, { progress }) {
    progress({ step: 'deal', number: 1, of: 3 })
    progress({ step: 'confirm', number: 3, of: 3 })
    return change({})
  },
  importPrivateKey: () => change({ origin: 'imported' }),
  refreshWalletAccountShares: () => change({ epoch: 1 }),
  reshare: ({ newThresholdSignatureScheme: scheme }) => change({ thresholdSignatureScheme: scheme, epoch: 2 }),
  backupKeyShares({ backup: { provider } }) {
    change({ backup: { state: 'current', providers: [provider], backedUpAt: 7 } })
    return { provider, epoch: 0, backedUpAt: 7 }
  },
  verifyBackup() {
    change({ backup: { state: 'none', providers: [] } })
    throw new KeybayError({ code: 'frame_backup_missing', message: 'No backup of this wallet was found there' })
  },
  exportPrivateKey: () => changeSilently({ exported: true }),
  exportClientKeyshares: () => ({ keyShares: ['sealed'] }),
  restoreBackup: () => change({ here: true }),
  setPassword: () => changeSilently({ passwordEncrypted: true }),
  updatePassword: () => null,
  verifyPassword: ({ password }) => password === 'the right one',
  requiresPasswordForOperation: ({ walletOperation }) => walletOperation !== 'NO_OPERATION',
  delegateKeyShares({ policy }) {
    const set = {
      setId: OTHER_SET,
      createdAt: 1,
      revoked: false,
      here: true,
      kind: 'delegate' as const,
      name: 'Salaries',
      policy,
    }
    change({ sets: [...standInWallet.sets, set] })
    return { setId: OTHER_SET, sealedShare: Uint8Array.of(1, 2, 3) }
  },
  addDevice: () => change({ here: true }),
  revokeSet({ setId }) {
    const sets = wallets[0]?.sets ?? standInWallet.sets
    return change({ sets: sets.map(set => (set.setId === setId ? { ...set, revoked: true } : set)) })
  },
  setPolicy: ({ policy }) => change({ policy: policy ?? undefined }),
}

beforeEach(() => {
  wallets = []
  isListBroken = false
})
afterEach(async () => {
  await act(async () => {
    for (const root of roots.splice(0)) root.unmount()
  })
})

/** Opens a page; `asked` lists the requests that its frames received, but the reads of wallets. */
function openPage(signedIn = true) {
  const kit = open(handlers, { signedIn })
  const getRequests = () =>
    kit.received.filter(([, type]) => !type.startsWith('getWallet')).map(([, type, payload]) => ({ type, payload }))
  return { ...kit, asked: getRequests }
}

function Probe({ run }: { readonly run: () => void }): ReactNode {
  run()
  return null
}
/** The last return value of a hook. */
async function render<T>({ keybay }: Pick<Kit, 'keybay'>, useIt: () => T) {
  const seen: T[] = []
  const root = createRoot(document.createElement('div'))
  roots.push(root)
  const tree = (
    <KeybayProvider keybay={keybay}>
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
      await expect.poll(() => holds(this.now), { interval: 5 }).toBe(true)
      vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
    },
  }
}

async function renderWithList<T extends object>(page: Pick<Kit, 'keybay'>, useThem: () => T) {
  const view = await render(page, () => ({ list: hooks.useEmbeddedWallets(), ...useThem() }))
  await view.until(({ list }) => list.status === 'ready')
  return view
}

it('useEmbeddedWallets lists nothing and loads no frame while no user is signed in', async () => {
  const page = openPage(false)
  const view = await render(page, hooks.useEmbeddedWallets)
  expect(view.now).toMatchObject({ status: 'none' })
  expect(view.now.wallets).toBeUndefined()
  expect(page.frames.loaded).toEqual([])
})

it('loads the wallet list once for all components, adds a created wallet and reports its progress', async () => {
  const page = openPage()
  const other = await render(page, hooks.useEmbeddedWallets)
  const view = await renderWithList(page, () => ({
    create: hooks.useCreateWallet(),
    progress: hooks.useWalletProgress(),
  }))
  expect(view.now.list.wallets).toEqual([])
  expect(page.received.map(([, type]) => type)).toEqual(['getWallets'])
  act(() => view.now.create.run({ scheme: 'TWO_OF_TWO', exportable: false }))
  expect(view.now.create.status).toBe('pending')
  await view.until(({ create, list }) => create.status === 'success' && list.wallets?.length === 1)
  await other.until(({ wallets }) => wallets?.length === 1)
  expect(view.now.create.data?.wallet.accountAddress).toBe(address)
  expect(view.now.progress).toMatchObject({ step: 'confirm', number: 3, of: 3, operation: 'createWalletAccount' })
  expect(page.asked()).toMatchObject([
    { type: 'createWalletAccount', payload: { thresholdSignatureScheme: 'TWO_OF_TWO', exportable: false } },
  ])
})

it('a component that comes later shows the list at once, and has it loaded again only once it is old', async () => {
  wallets = [standInWallet]
  const page = openPage()
  await renderWithList(page, () => ({}))
  const requests = () => page.received.filter(([, type]) => type === 'getWallets').length
  await render(page, hooks.useEmbeddedWallets)
  expect(requests()).toBe(1)
  const now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + 31_000)
  change({ exported: true })
  const later = await render(page, () => hooks.useEmbeddedWallets())
  expect(later.now).toMatchObject({ status: 'ready', wallets: [standInWallet] })
  await later.until(({ wallets }) => wallets?.[0]?.exported === true)
  await render(page, hooks.useEmbeddedWallets)
  expect(requests()).toBe(2)
  isListBroken = true
  clock.mockImplementation(() => now + 62_000)
  const last = await render(page, hooks.useEmbeddedWallets)
  await last.until(({ status }) => status === 'error')
  expect(last.now.wallets).toHaveLength(1)
  clock.mockRestore()
})

it('keeps the old wallet list when a refresh fails, and refreshes again on request', async () => {
  wallets = [standInWallet]
  const view = await render(openPage(), hooks.useEmbeddedWallets)
  await view.until(({ status }) => status === 'ready')
  isListBroken = true
  act(() => view.now.refresh.run())
  await view.until(({ status }) => status === 'error')
  expect(view.now.error).toBeInstanceOf(KeybayError)
  expect(view.now.wallets).toHaveLength(1)
  isListBroken = false
  act(() => view.now.refresh.run())
  await view.until(({ status }) => status === 'ready')
  expect(view.now.refresh.status).toBe('success')
})

it('clears the wallet list when the user signs out, and loads the next user’s list', async () => {
  wallets = [standInWallet]
  const page = openPage()
  const view = await render(page, hooks.useEmbeddedWallets)
  await view.until(({ status }) => status === 'ready')
  await act(async () => page.kernel.session.clear())
  await view.until(({ status }) => status === 'none')
  expect(view.now.wallets).toBeUndefined()
  wallets = []
  await act(async () => page.signIn('ines', 'token-of-ines'))
  await view.until(({ status }) => status === 'ready')
  expect(view.now.wallets).toEqual([])
})

it('the wallet hooks import, refresh, reshare, add a device, change the policy and revoke a share set', async () => {
  wallets = [standInWallet]
  const page = openPage()
  const view = await renderWithList(page, () => ({
    add: hooks.useAddDevice(),
    enter: hooks.useImportPrivateKey(),
    refresh: hooks.useRefreshShares(),
    reshare: hooks.useReshare(),
    policy: hooks.useSetPolicy(),
    revoke: hooks.useRevokeSet(),
  }))
  act(() => view.now.enter.run({ scheme: 'TWO_OF_TWO', privateKey: 'secret' }))
  await view.until(({ enter }) => enter.data?.wallet.origin === 'imported')
  act(() => view.now.refresh.run(address))
  await view.until(({ refresh }) => refresh.data?.wallet.epoch === 1)
  act(() => view.now.reshare.run(address, { to: 'THREE_OF_FIVE' }))
  await view.until(({ reshare }) => reshare.data?.wallet.thresholdSignatureScheme === 'THREE_OF_FIVE')
  act(() => view.now.add.run(address))
  await view.until(({ add }) => add.data?.here === true)
  act(() => view.now.policy.run(address, { dailyLimit: 5n, programs: [], messages: false }))
  await view.until(({ policy: { data } }) => data?.policy?.dailyLimit === 5n)
  act(() => view.now.revoke.run(address, setId))
  await view.until(({ revoke, list }) => revoke.status === 'success' && list.wallets?.[0]?.sets[0]?.revoked === true)
  expect(
    page
      .asked()
      .map(({ type }) => type)
      .join(' '),
  ).toBe('importPrivateKey refreshWalletAccountShares reshare addDevice setPolicy revokeSet')
})

it('useWalletBackup shows the backup status of a wallet, backs up the wallet and verifies the backup', async () => {
  wallets = [standInWallet]
  const page = openPage()
  const view = await render(page, () => hooks.useWalletBackup(address))
  expect(view.now).toMatchObject({ status: undefined, hasBackupPart: undefined })
  await view.until(({ status }) => status?.state === 'none')
  expect(view.now.hasBackupPart).toBe(true)
  const backup = { provider: 'icloud', password: 'p' } as const
  act(() => view.now.backup.run({ backup }))
  await view.until(({ backup, status }) => backup.data?.provider === 'icloud' && status?.state === 'current')
  expect(view.now.status?.providers).toEqual(['icloud'])
  // A missing backup changes the list.
  act(() => view.now.verify.run({ backup }))
  await view.until(({ verify, status }) => verify.error?.code === 'frame_backup_missing' && status?.state === 'none')
  expect(page.asked().map(({ type }) => type)).toEqual(['backupKeyShares', 'verifyBackup'])
})

it('useReceiveAddress hides the address of a wallet above the balance until it is backed up, and then shows it', async () => {
  wallets = [standInWallet]
  const view = await renderWithList(openPage(), () => {
    const of = (balance: bigint | undefined) => hooks.useReceiveAddress(address, { balance, hideAbove: 5n })
    const { backup } = hooks.useWalletBackup(address)
    return { backup, unknown: of(undefined), below: of(5n), above: of(6n) }
  })
  expect(view.now).toMatchObject({ unknown: 'loading', below: 'shown', above: 'hidden' })
  act(() => view.now.backup.run({ backup: { provider: 'icloud' } }))
  await view.until(({ above }) => above === 'shown')
  expect(view.now).toMatchObject({ unknown: 'shown', below: 'shown' })
})

it.each([
  ['stale', 'hidden'],
  ['unverified', 'shown'],
] as const)('useReceiveAddress with a backup that is %s: %s', async (state, expected) => {
  wallets = [{ ...standInWallet, backup: { state, providers: ['icloud'] } }]
  const view = await render(openPage(), () => hooks.useReceiveAddress(address, { balance: 6n, hideAbove: 5n }))
  expect(view.now).toBe('loading')
  await view.until(now => now === expected)
})

it('useReceiveAddress shows the address if the wallets cannot be loaded', async () => {
  isListBroken = true
  const view = await render(openPage(), () => hooks.useReceiveAddress(address, { balance: 6n, hideAbove: 5n }))
  await view.until(now => now === 'shown')
})

it('exports the key in the wallet’s window without returning it to the page, and exports and restores shares', async () => {
  wallets = [standInWallet]
  const page = openPage()
  const view = await renderWithList(page, () => ({ ...hooks.useWalletExport(), restore: hooks.useRestoreBackup() }))
  const displayContainer = createContainer()
  act(() => view.now.exportKey.run(address, { displayContainer }))
  await view.until(({ exportKey, list }) => exportKey.status === 'success' && list.wallets?.[0]?.exported === true)
  expect(view.now.exportKey.data).toBeUndefined()
  act(() => view.now.exportShares.run(address))
  await view.until(({ exportShares }) => exportShares.data?.[0] === 'sealed')
  const source = { backup: { provider: 'icloud' }, mode: 'replace-device' } as const
  act(() => view.now.restore.run(address, { displayContainer, ...source }))
  await view.until(({ restore }) => restore.data?.here === true)
  expect(page.asked()).toMatchObject([
    { type: 'exportPrivateKey', payload: { accountAddress: address } },
    { type: 'exportClientKeyshares', payload: { accountAddress: address } },
    { type: 'restoreBackup', payload: source },
  ])
  const views = page.frames.loaded.map(({ searchParams }) => searchParams.get('instanceId'))
  // The hidden frame, and a visible frame for each.
  expect(new Set(views).size).toBe(4)
})

it('useWalletPassword sets, changes and checks the password, and says which operations require the password', async () => {
  wallets = [standInWallet]
  const page = openPage()
  const view = await renderWithList(page, () => hooks.useWalletPassword(address))
  act(() => view.now.set.run())
  await view.until(({ list, set }) => set.status === 'success' && list.wallets?.[0]?.passwordEncrypted === true)
  act(() => view.now.update.run({ existingPassword: 'one', newPassword: 'the right one' }))
  await view.until(({ update }) => update.status === 'success')
  for (const password of ['the right one', 'another']) {
    act(() => view.now.verify.run(password))
    await view.until(({ verify }) => verify.data === (password === 'the right one'))
  }
  for (const operation of ['SIGN_MESSAGE', 'NO_OPERATION'] as const) {
    act(() => view.now.required.run(operation))
    await view.until(({ required }) => required.data === (operation === 'SIGN_MESSAGE'))
  }
  const [set, update] = page.asked()
  expect([set, update]).toMatchObject([
    { type: 'setPassword', payload: { accountAddress: address } },
    { type: 'updatePassword', payload: { existingPassword: 'one', newPassword: 'the right one' } },
  ])
  expect(set?.payload).not.toHaveProperty('newPassword', expect.anything())
})

it('useDelegates lets a server sign, lists the server by name and revokes its access', async () => {
  wallets = [standInWallet]
  const policy = { dailyLimit: 5n, programs: [], messages: false }
  const page = openPage()
  const view = await render(page, () => ({ ...hooks.useDelegates(address), list: hooks.useEmbeddedWallets() }))
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
  expect(page.asked()).toMatchObject([
    { type: 'delegateKeyShares', payload: options },
    { type: 'revokeSet', payload: { setId: OTHER_SET } },
  ])
})

function renderOnServer(keybay: Parameters<typeof KeybayProvider>[0]['keybay'], run: () => void) {
  return renderToString(
    <KeybayProvider keybay={keybay}>
      <Probe run={run} />
    </KeybayProvider>,
  )
}

it('useEmbeddedWallets lists nothing in server rendering', () => {
  const seen: string[] = []
  renderOnServer(openPage().keybay, () => seen.push(hooks.useEmbeddedWallets().status))
  expect(seen).toEqual(['none'])
})

it('a wallet hook without the waas plugin names the missing plugin', () => {
  const keybay = createKeybay({ appName: 'Test', logLevel: 'silent', plugins: [] })
  expect(() => renderOnServer(keybay, hooks.useCreateWallet)).toThrow("add waas() of '@keybay/waas' to plugins")
})
