// @vitest-environment happy-dom
/** The hidden frame that all clients of one user share, and the dialog of the visible frame. */
import { fakeClock } from '@keybay/kernel/testing'
import { expect, it } from 'vitest'
import { resolveParameters } from '../../src/client/parameters.js'
import { acquireFrame, type FrameState } from '../../src/client/shared-frame.js'
import { type FrameOptions, installFrames } from './frames.js'
import { connectAccount, ends, iframes, open, until } from './kit.js'
import { standInWallet } from './stand-in-wallet.js'

const authority = { chainName: 'SOL', signedSessionId: 's', authToken: 'token-of-mara' } as const
const logger = { debug() {}, info() {}, warn() {}, error() {} }
let environments = 0

function setUp(options: FrameOptions = {}) {
  const clock = fakeClock()
  const states: FrameState[] = []
  const config = { environmentId: `shared-${++environments}`, baseApiUrl: 'http://api.app.localhost:4100/api/v0' }
  const parameters = resolveParameters({ sdkVersion: '0.1.0' }, config, location.origin)
  const frames = installFrames(() => ({ getWallets: () => [standInWallet] }), options)
  ends.push(frames.restore)
  const acquire = () => {
    const onState = (state: FrameState) => states.push(state)
    const authToken = async () => 'token-of-mara'
    const handle = acquireFrame({ parameters, userId: 'mara', clock, logger, authToken, onState })
    ends.push(handle.release)
    return handle
  }
  return { acquire, clock, states, frames, parameters }
}

it('[S2.1] path, six parameters, sandbox flags', async () => {
  const { acquire, frames, parameters } = setUp()
  await acquire().ready()
  const [frame] = iframes()
  expect(frame?.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin allow-downloads')
  expect([frame?.hidden, document.body.contains(frame ?? null)]).toEqual([true, false])
  const [url] = frames.loaded
  expect(url?.pathname).toBe(`/waas-v1/${parameters.environmentId}`)
  expect(Object.fromEntries(url?.searchParams ?? [])).toEqual({
    instanceId: expect.stringMatching(/^[\w-]{22}$/),
    hostOrigin: location.origin,
    environmentId: parameters.environmentId,
    baseApiUrl: 'http://api.app.localhost:4100/api/v0',
    baseMPCRelayApiUrl: 'http://localhost:4300',
    sdkVersion: '0.1.0',
  })
})

it('[S4.6] the hidden frame is not loaded, then loading, and ready on its ready message', async () => {
  const { acquire, states } = setUp()
  const handle = acquire()
  expect(handle.state).toBe('not-loaded')
  const sender = await handle.ready()
  expect(await sender.send('getWallets', authority)).toHaveLength(1)
  expect([handle.state, states]).toEqual(['ready', ['loading', 'ready']])
})

it('[S4.7] [S8.4] [S9.4] retries the hidden frame once, 1 s after “Iframe load timeout due to no handshake message”, then “Failed to load iframe after all retry attempts”', async () => {
  const { acquire, clock, frames } = setUp({ works: () => false })
  const handle = acquire()
  const failing = expect(handle.ready()).rejects.toMatchObject({
    code: 'iframe_load_failed',
    message: 'Failed to load iframe after all retry attempts',
    cause: { code: 'iframe_load_timeout', message: 'Iframe load timeout due to no handshake message' },
  })
  await until(() => frames.loaded.length)
  const counts: number[] = []
  for (const ms of [9_999, 1, 999, 1, 10_000]) {
    await clock.advance(ms)
    counts.push(iframes().length)
  }
  expect(counts).toEqual([1, 0, 0, 1, 0])
  await failing
  expect(handle.state).toBe('failed')
  expect(new Set(frames.loaded.map(({ searchParams }) => searchParams.get('instanceId'))).size).toBe(2)
})

it('[S4.8] [S9.4] a failure resets the hidden frame and doubles the timeout, up to 60 s; the next try works', async () => {
  let works = false
  const { acquire, clock } = setUp({ works: () => works })
  const handle = acquire()
  const seconds: number[] = []
  for (let tries = 0; tries < 5; tries++) {
    const start = clock.now()
    let isFailed = false
    handle.ready().catch(() => {
      isFailed = true
    })
    while (!isFailed) await clock.advance(500)
    seconds.push((clock.now() - start) / 1000)
  }
  // Twice the timeout, and the second between.
  expect(seconds.map(time => Math.round((time - 1) / 2))).toEqual([10, 20, 40, 60, 60])
  works = true
  await handle.ready()
  expect(handle.state).toBe('ready')
})

it('[S4.9] callers share one hidden frame, which is removed when its count reaches 0', async () => {
  const { acquire, frames } = setUp()
  const [first, second] = [acquire(), acquire()]
  const [sender, same] = await Promise.all([first.ready(), second.ready()])
  expect(sender).toBe(same)
  first.release()
  first.release()
  expect(iframes()).toHaveLength(1)
  await expect(first.ready()).rejects.toMatchObject({
    code: 'message_handler_missing',
    message: 'Iframe message handler not initialized',
  })
  second.release()
  expect([iframes().length, frames.loaded.length]).toEqual([0, 1])
})

it('a caller that releases the hidden frame before it loads leaves no frame behind', async () => {
  const { acquire, clock } = setUp()
  for (const isInPage of [false, true]) {
    const handle = acquire()
    const aborted = expect(handle.ready()).rejects.toMatchObject({ code: 'aborted' })
    if (isInPage) await until(() => iframes().length)
    handle.release()
    await aborted
    expect([iframes().length, clock.pending()]).toEqual([0, 0])
  }
})

it('[S4.11] reloads a dead frame, and answers the requests that the dead frame did not acknowledge', async () => {
  const { acquire, clock, frames } = setUp()
  const sender = await acquire().ready()
  frames.stop()
  const wallets = sender.send('getWallets', authority)
  await clock.advance(5000) // no acknowledgement
  await clock.advance(1000) // and no pong
  expect(await wallets).toHaveLength(1)
  expect([iframes().length, frames.loaded.length]).toEqual([1, 2])
})

it.each(['Escape', 'Cancel'])('says that the wallet opens, and rejects when the user leaves by %s', async by => {
  let frames = 0
  const { keybay } = open({ getWallets: () => [standInWallet] }, { frame: { works: () => ++frames === 1 } })
  await connectAccount({ keybay })
  const rejected = expect(keybay.waas.importPrivateKey()).rejects.toMatchObject({ code: 'user_rejected' })
  await until(() => document.querySelector('dialog iframe'))
  const dialog = document.querySelector('dialog')
  expect(dialog?.querySelector('[role="status"]')?.textContent).toBe('Opening the wallet')
  const [frame] = dialog?.querySelectorAll('iframe') ?? []
  expect([frame?.title, frame?.getAttribute('sandbox')]).toEqual(['wallet storage', 'allow-scripts allow-same-origin'])
  if (by === 'Escape') dialog?.dispatchEvent(new Event('cancel'))
  else dialog?.querySelector('button')?.click()
  await rejected
  expect(document.querySelectorAll('dialog')).toHaveLength(0)
})
