// @vitest-environment happy-dom
/** Events of the kernel, of Solana and of embedded wallets become waterfalls. */
import { KeybayError, userRejected } from '@keybay/kernel'
import { afterEach, expect, it } from 'vitest'
import { createKit, type Kit } from './kit.js'

let kits: Kit[] = []
function kit(): Kit {
  const made = createKit()
  kits.push(made)
  return made
}
afterEach(() => {
  for (const { dispose } of kits) dispose()
  kits = []
})

async function rowsOf({ exported }: Kit) {
  const { actions } = await exported()
  return actions.map(({ name, outcome, ms, rows }) => [
    `${name} ${outcome} ${ms}`,
    ...rows.map(row => `${row.after}+${row.ms} ${row.kind} ${row.name} ${row.outcome}`),
  ])
}

const CONNECTION = { connectorId: 'acme', accounts: [], openedAt: 0 }
const CONNECT = { connectorId: 'acme' }

it('shows a connection from the click to its end, with the prompt between them', async () => {
  const { emit, clock, ...rest } = kit()
  document.body.click()
  await clock.advance(5)
  emit('connection:opening', CONNECT)
  await clock.advance(10)
  const prompt = { type: 'choice', promptId: '1', connectorId: 'acme', title: 'Which?', options: [] } as const
  emit('prompt:opened', { prompt: { ...prompt, answer() {}, cancel() {} } })
  await clock.advance(3000)
  emit('prompt:closed', { promptId: '1' })
  await clock.advance(7)
  emit('connection:opened', { connection: CONNECTION, resumed: false })
  expect(await rowsOf({ emit, clock, ...rest })).toEqual([
    ['Connect acme done 3022', '0+0 click Click done', '15+3000 prompt Prompt: choice done'],
  ])
})

it('ends a refused connection with its error code, and ends what was still running in it', async () => {
  const { emit, clock, ...rest } = kit()
  emit('connection:opening', CONNECT)
  const prompt = { type: 'choice', promptId: '1', connectorId: 'acme', title: 'Which?', options: [] } as const
  emit('prompt:opened', { prompt: { ...prompt, answer() {}, cancel() {} } })
  await clock.advance(40)
  emit('connection:failed', { ...CONNECT, error: new KeybayError(userRejected) })
  expect(await rowsOf({ emit, clock, ...rest })).toEqual([
    ['Connect acme · user_rejected failed 40', '0+40 prompt Prompt: choice failed'],
  ])
})

it('shows a sign-in until the session is authenticated, with each state of the session', async () => {
  const { emit, clock, ...rest } = kit()
  emit('connection:opening', { connectorId: 'email' })
  emit('session:changed', { session: { status: 'authenticating' } })
  await clock.advance(80)
  emit('session:changed', { session: { status: 'authenticated', userId: 'u1' } })
  expect(await rowsOf({ emit, clock, ...rest })).toEqual([
    ['Connect email done 80', '0+0 event Session: authenticating done', '80+0 event Session: authenticated done'],
  ])
})

it('shows a payment: click, phases, frame, relay rounds and chain calls, each with its time', async () => {
  const { emit, clock, ...rest } = kit()
  const [id, operationId] = ['t1', 'o1']
  const rpc = { networkId: 103, node: 0 }
  document.body.click()
  await clock.advance(30)
  emit('rpc:called', { ...rpc, method: 'getLatestBlockhash', ms: 20 }) // before the first step is known
  emit('transaction:step', { id, step: 'built', networkId: 103, from: 'A' })
  emit('transaction:step', { id, step: 'fee', fee: 5000n })
  const operation = { operationId, operation: 'signTransaction', address: 'A' }
  emit('waas:operation', { ...operation, state: 'started' })
  emit('waas:message', { ...operation, view: 'hidden', state: 'sent' })
  await clock.advance(100)
  emit('waas:relay', { operationId, path: '/wallets/w1/sign', ms: 60, status: 200 })
  emit('waas:message', { ...operation, view: 'hidden', state: 'succeeded' })
  emit('waas:operation', { ...operation, state: 'succeeded' })
  emit('transaction:step', { id, step: 'signed', signature: 'S' })
  await clock.advance(15)
  emit('rpc:called', { ...rpc, method: 'sendTransaction', ms: 15, errorCode: 'rpc_unreachable' })
  emit('transaction:step', { id, step: 'sent', signature: 'S', acknowledged: true })
  await clock.advance(400)
  emit('transaction:step', { id, step: 'confirmed', signature: 'S', slot: 7 })
  expect(await rowsOf({ emit, clock, ...rest })).toEqual([
    [
      'Send transaction done 545',
      '0+0 click Click done',
      '0+30 step Build done',
      '10+20 rpc getLatestBlockhash done',
      '30+0 step Fee done',
      '30+100 step Sign done',
      '30+100 wallet signTransaction done',
      '30+100 frame signTransaction, hidden frame done',
      '70+60 relay /wallets/w1/sign done',
      '130+15 step Send done',
      '130+15 rpc sendTransaction · rpc_unreachable failed',
      '145+400 step Confirm done',
    ],
  ])
})

it('shows an operation of an embedded wallet on its own, and both frames of a consent', async () => {
  const { emit, clock, ...rest } = kit()
  const operation = { operationId: 'o2', operation: 'signMessage', address: 'A' }
  emit('waas:operation', { ...operation, state: 'started' })
  emit('waas:message', { ...operation, view: 'hidden', state: 'sent' })
  await clock.advance(12)
  emit('waas:message', { ...operation, view: 'hidden', state: 'failed', errorCode: 'consent_required' })
  await clock.advance(300)
  emit('waas:message', { ...operation, view: 'visible', state: 'sent' })
  emit('waas:progress', { operation: 'signMessage', step: 'deal', number: 1, of: 4 })
  emit('waas:relay', { operationId: 'o2', path: '/wallets/w1/sign', ms: 0, status: 409 })
  expect(await rowsOf({ emit, clock, ...rest })).toEqual([
    [
      'Embedded wallet: signMessage pending undefined',
      '0+12 frame signMessage, hidden frame · consent_required failed',
      '312+undefined frame signMessage, visible frame pending',
      '312+0 event deal (1 of 4) done',
      '312+0 relay /wallets/w1/sign · status 409 failed',
    ],
  ])
})

it('gives a click to one action only, and to none after five seconds', async () => {
  const { emit, clock, ...rest } = kit()
  document.body.click()
  emit('connection:opening', CONNECT)
  emit('connection:opened', { connection: CONNECTION, resumed: false })
  emit('connection:opening', { connectorId: 'other' })
  emit('connection:opened', { connection: { ...CONNECTION, connectorId: 'other' }, resumed: false })
  document.body.click()
  await clock.advance(5001)
  emit('connection:opening', CONNECT)
  const clicks = (await rowsOf({ emit, clock, ...rest })).map(rows => rows.filter(row => row.includes('Click')).length)
  expect(clicks).toEqual([1, 0, 0])
})

it('keeps chain calls that belong to no action out of the waterfalls, and in the events', async () => {
  const { emit, exported } = kit()
  emit('rpc:called', { networkId: 103, node: 0, method: 'getBalance', ms: 3 })
  emit('connection:opened', { connection: CONNECTION, resumed: true })
  const { actions, events } = await exported()
  expect(actions).toMatchObject([{ name: 'Reconnect acme', outcome: 'done', rows: [] }])
  expect(events.map(({ event }) => event)).toEqual(['rpc:called', 'connection:opened'])
})

it('keeps the last 500 events, in their order', async () => {
  const { emit, exported } = kit()
  for (let index = 0; index < 600; index++) emit('prompt:closed', { promptId: String(index) })
  const { events } = await exported()
  expect([events.length, events[0]?.payload, events.at(-1)?.payload]).toEqual([
    500,
    { promptId: '100' },
    { promptId: '599' },
  ])
})
