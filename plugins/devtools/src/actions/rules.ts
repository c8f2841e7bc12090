/** Says what each event means for the actions. Events of plugins that are not listed here are moments of the running action. */
import type { Entry } from '../api.js'
import { amount, stepOf, text } from './fields.js'
import { type Action, type Outcome, Timeline } from './timeline.js'

type Rule = (timeline: Timeline, entry: Entry) => void

function connectKey({ payload }: Entry): string {
  return `connect ${text(payload, 'connectorId') ?? text(payload, 'connection', 'connectorId')}`
}
function connectorOf(key: string): string {
  return key.slice('connect '.length)
}

function endConnect(outcome: Outcome): Rule {
  return (timeline, entry) => {
    const key = connectKey(entry)
    timeline.endRows(key, entry.at, outcome)
    timeline.end(key, entry.at, outcome, text(entry.payload, 'error', 'code'))
  }
}

function addMoment(name: (payload: unknown) => string): Rule {
  return (timeline, { at, payload }) => {
    if (timeline.running) timeline.add({ kind: 'event', name: name(payload), startedAt: at, endedAt: at })
  }
}

/** The phase that runs after each step of a transaction. */
const NEXT_PHASES: Readonly<Record<string, string>> = { built: 'Fee', fee: 'Sign', signed: 'Send', sent: 'Confirm' }

function followTransaction(timeline: Timeline, entry: Entry): void {
  const { at, payload } = entry
  const [id, step = ''] = [text(payload, 'id'), text(payload, 'step')]
  const [action, phase] = [`transaction ${id}`, `phase ${id}`]
  if (!timeline.has(action)) {
    timeline.begin(action, 'Send transaction', entry)
    timeline.start(phase, { kind: 'step', name: 'Build' }, entry.clickedAt ?? at, action)
  }
  const code = text(payload, 'error', 'code')
  const outcome = step === 'failed' ? 'failed' : 'done'
  timeline.end(phase, at, outcome, code)
  const next = NEXT_PHASES[step]
  if (next) timeline.start(phase, { kind: 'step', name: next }, at, action)
  else {
    timeline.endRows(action, at, outcome)
    timeline.end(action, at, outcome, code)
  }
}

/** An operation of an embedded wallet: a row of the running action, or an action of its own. */
function followOperation(timeline: Timeline, entry: Entry): void {
  const { at, payload } = entry
  const key = `operation ${text(payload, 'operationId')}`
  const name = text(payload, 'operation') ?? 'operation'
  const state = text(payload, 'state')
  if (state !== 'started') timeline.end(key, at, state === 'failed' ? 'failed' : 'done', text(payload, 'errorCode'))
  else if (timeline.running) timeline.start(key, { kind: 'wallet', name }, at)
  else timeline.begin(key, `Embedded wallet: ${name}`, entry)
}

function followMessage(timeline: Timeline, { at, payload }: Entry): void {
  const id = text(payload, 'operationId')
  const [key, action] = [`message ${id}`, `operation ${id}`]
  const state = text(payload, 'state')
  const name = `${text(payload, 'operation')}, ${text(payload, 'view')} frame`
  if (state === 'sent') timeline.start(key, { kind: 'frame', name }, at, action)
  else timeline.end(key, at, state === 'failed' ? 'failed' : 'done', text(payload, 'errorCode'))
}

function addRelayCall(timeline: Timeline, { at, payload }: Entry): void {
  const status = amount(payload, 'status') ?? 0
  const name = text(payload, 'path') ?? ''
  const code = status >= 200 && status < 300 ? undefined : status ? `status ${status}` : 'no response'
  const startedAt = at - (amount(payload, 'ms') ?? 0)
  timeline.add({ kind: 'relay', name, startedAt, endedAt: at }, code, `operation ${text(payload, 'operationId')}`)
}

function addChainCall(timeline: Timeline, { at, payload }: Entry): void {
  const name = text(payload, 'method') ?? ''
  timeline.add(
    { kind: 'rpc', name, startedAt: at - (amount(payload, 'ms') ?? 0), endedAt: at },
    text(payload, 'errorCode'),
  )
}

function followFrame(timeline: Timeline, { at, payload }: Entry): void {
  const state = text(payload, 'state')
  if (state === 'loading') timeline.start('frame', { kind: 'frame', name: 'Load the frame' }, at)
  else timeline.end('frame', at, state === 'failed' ? 'failed' : 'done')
}

function openPrompt(timeline: Timeline, entry: Entry): void {
  const { at, payload } = entry
  const key = `prompt ${text(payload, 'prompt', 'promptId')}`
  const name = `Prompt: ${text(payload, 'prompt', 'type')}`
  if (timeline.running)
    timeline.start(key, { kind: 'prompt', name }, at, `connect ${text(payload, 'prompt', 'connectorId')}`)
  else timeline.begin(key, name, entry)
}

/** The session is the only sign that a login has ended. A wallet that signs in ends later, when its connection opens. */
function followSession(timeline: Timeline, entry: Entry): void {
  const { running } = timeline
  const status = text(entry.payload, 'session', 'status')
  addMoment(() => `Session: ${status}`)(timeline, entry)
  if (status === 'authenticated' && running?.startsWith('connect ')) timeline.end(running, entry.at, 'done')
}

const RULES: ReadonlyMap<string, Rule> = new Map(
  Object.entries<Rule>({
    'connection:opening'(timeline, entry) {
      const key = connectKey(entry)
      timeline.begin(key, `Connect ${connectorOf(key)}`, entry)
    },
    'connection:opened'(timeline, entry) {
      const key = connectKey(entry)
      if (Reflect.get(Object(entry.payload), 'resumed') === true)
        timeline.begin(key, `Reconnect ${connectorOf(key)}`, entry)
      endConnect('done')(timeline, entry)
    },
    'connection:failed': endConnect('failed'),
    'connection:changed'() {},
    'connection:closed'() {},
    'prompt:opened': openPrompt,
    'prompt:closed': (timeline, { at, payload }) => timeline.end(`prompt ${text(payload, 'promptId')}`, at, 'done'),
    'session:changed': followSession,
    'redirect:started': addMoment(payload => `Leaves the page: ${text(payload, 'method')}`),
    'transaction:step': followTransaction,
    'waas:operation': followOperation,
    'waas:message': followMessage,
    'waas:relay': addRelayCall,
    'waas:frame': followFrame,
    'waas:progress': addMoment(payload => stepOf(payload) ?? 'progress'),
    'rpc:called': addChainCall,
    log() {},
  }),
)

/** Returns the actions of the entries, oldest first. */
export function toActions(entries: readonly Entry[]): readonly Action[] {
  const timeline = new Timeline()
  for (const entry of entries) (RULES.get(entry.event) ?? addMoment(() => entry.event))(timeline, entry)
  return timeline.actions
}
