/** Searches the worlds of the model: every order of steps to a bounded depth, or random ones by seed. */

import { compare, restore, snapshot } from './copy-steps.js'
import {
  answer,
  deal,
  erase,
  list,
  lose,
  type Next,
  type Purpose,
  refuse,
  replay,
  SETS,
  send,
  sweep,
  tidy,
  upload,
} from './frame-steps.js'
import { findViolation } from './invariants.js'
import { abort, accept, commit, forge, intrude, postRecord, revoke, setPolicy, tell } from './relay-steps.js'
import type { Signer } from './table.js'
import type { Device, RelayId, Rules, World } from './world.js'

export interface Action {
  /** Unique; names the step and its arguments. */
  readonly name: string
  readonly events: readonly string[]
  readonly signed: readonly Signer[]
  /** Limit of this step; undefined if the world limits it. */
  readonly budget: string | undefined
  readonly run: (world: World, rules: Rules) => Next
}

interface Limits {
  /** Events of the table; default: the name of the step. */
  readonly events?: readonly string[]
  readonly signed?: readonly Signer[]
  readonly budget?: string
  /** How often a random world draws this kind, relative to the others; default: 1. */
  readonly weight?: number
}
/** Actions of one kind, which differ by their arguments. */
interface Kind {
  readonly weight: number
  readonly actions: readonly Action[]
}

function listActions<A extends unknown[]>(
  step: string,
  { events = [step], signed = [], budget, weight = 1 }: Limits,
  act: (world: World, rules: Rules, ...args: A) => Next,
  all: readonly A[],
): Kind {
  const actions = all.map(args => ({
    name: [step, ...args.flatMap(arg => (typeof arg === 'object' ? Object.values(Object(arg)) : [arg]))].join(' '),
    events,
    signed,
    budget,
    run: (world: World, rules: Rules) => act(world, rules, ...args),
  }))
  return { weight, actions }
}

function each<A>(all: readonly A[]): readonly [A][] {
  return all.map(only => [only])
}
function pairs<A, B>(first: readonly A[], second: readonly B[]): readonly [A, B][] {
  return first.flatMap(a => second.map((b): [A, B] => [a, b]))
}
/** Dealings, which a browser gets an answer to more often than not. */
function dealings(limits: Limits, device: Device, ...purposes: readonly Purpose[]): readonly Kind[] {
  return [true, false].map(isAnswered => {
    const all = each(purposes.map(purpose => ({ device, purpose, isAnswered })))
    return listActions('deal', { ...limits, weight: isAnswered ? 1 : 0.3 }, deal, all)
  })
}

const DEVICES: readonly Device[] = ['phone', 'laptop']
const RELAYS: readonly RelayId[] = ['R1', 'R2']
const CEREMONIES = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5'] as const
const RECORDS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const
const BY_DEVICE: readonly Signer[] = ['user', 'primary device']
const BY_BACKUP: readonly Signer[] = ['user', 'backup holder']
const BY_HOLDER: readonly Signer[] = ['new holder', 'R1 as peer']

/** Weight of the steps that go on with what began, so that random worlds come far. */
const CONTINUE = 10

/** Every step that the search can take, with its signers. */
const KINDS: readonly Kind[] = [
  ...dealings({ signed: BY_DEVICE, budget: 'refresh' }, 'phone', 'refresh'),
  ...dealings({ signed: BY_DEVICE, budget: 'reshare' }, 'phone', 'reshare'),
  ...dealings({ signed: BY_DEVICE, budget: 'delegate' }, 'phone', 'delegate'),
  ...dealings({ signed: BY_BACKUP, budget: 'restore' }, 'laptop', 'replaceDevice', 'addDevice'),
  listActions('upload', { weight: CONTINUE, signed: ['user'] }, upload, each(DEVICES)),
  listActions('send', { weight: CONTINUE, signed: ['new holder'] }, send, pairs(DEVICES, SETS)),
  listActions('accept', { weight: CONTINUE, signed: ['new holder'] }, accept, each(CEREMONIES)),
  listActions('commit', { weight: CONTINUE, signed: BY_HOLDER }, commit, pairs(CEREMONIES, [false])),
  listActions('commit', { signed: BY_HOLDER, budget: 'crash' }, commit, pairs(CEREMONIES, [true])),
  listActions('answer', { signed: ['user', 'R1'] }, answer, pairs(DEVICES, RECORDS)),
  listActions(
    'refuse',
    { events: ['error', 'answer', 'record'], signed: ['user', 'R1'], budget: 'refuse' },
    refuse,
    pairs(DEVICES, SETS),
  ),
  listActions('list', { events: ['record'], signed: ['R1'] }, list, each(DEVICES)),
  listActions('replay', { events: ['record'], signed: ['R1'], budget: 'replay' }, replay, pairs(DEVICES, RECORDS)),
  listActions('tell', { weight: CONTINUE, signed: ['R1', 'R1 as peer'] }, tell, each(RECORDS)),
  listActions('post', { signed: ['R1', 'other user'] }, postRecord, each(RECORDS)),
  listActions('tidy', { signed: ['user'] }, tidy, each(DEVICES)),
  listActions('revoke', { signed: BY_DEVICE, budget: 'revoke' }, revoke, pairs(DEVICES, SETS)),
  listActions('abort', { signed: BY_DEVICE, budget: 'abort' }, abort, pairs(DEVICES, CEREMONIES)),
  listActions(
    'setPolicy',
    { events: ['tell'], signed: [...BY_DEVICE, 'R1', 'R1 as peer'], budget: 'policy' },
    setPolicy,
    [
      ['phone', 'primary', 'strict'],
      ['phone', 'primary', 'loose'],
    ],
  ),
  listActions('intrude', { signed: ['other user'], budget: 'intrude' }, intrude, each(SETS)),
  listActions('forge', { signed: ['R1'], budget: 'forge' }, forge, each(['revoked', 'active'] as const)),
  listActions('snapshot', { budget: 'snapshot' }, snapshot, each(RELAYS)),
  listActions('restore', { budget: 'failure' }, restore, each(RELAYS)),
  listActions('compare', { weight: CONTINUE, signed: ['R1', 'R1 as peer', 'R2 as peer'] }, compare, each(RELAYS)),
  listActions('erase', { signed: ['user'], budget: 'erase' }, erase, pairs(DEVICES, SETS)),
  listActions('sweep', { events: ['expire'], budget: 'sweep' }, sweep, each(DEVICES)),
  listActions('lose', { weight: 0.2, budget: 'failure' }, lose, each(DEVICES)),
]
const ACTIONS = KINDS.flatMap(({ actions }) => actions)

/** Takes a step. Returns undefined if it is not possible, or changes nothing. */
function take(world: World, { events, signed, budget, run }: Action, rules: Rules): Next {
  const left = budget === undefined ? 1 : (world.budget[budget] ?? 0)
  if (left === 0) return undefined
  const next = run(world, rules)
  if (!next || next === world) return undefined
  const spent = budget === undefined ? next.budget : { ...next.budget, [budget]: left - 1 }
  return { ...next, budget: spent, last: { events, signed } }
}

export interface Violation {
  readonly problem: string
  readonly trace: readonly string[]
}
export interface Explored {
  readonly states: number
  readonly violation?: Violation
}

const texts = new WeakMap<object, string>()
/** Returns the value as JSON. Steps share most parts of a world, so each part is written once. */
function toText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const text = texts.get(value) ?? JSON.stringify(value)
  texts.set(value, text)
  return text
}

/** 53-bit hash of a world (cyrb53). Two of a million worlds share one with a chance of 1 in 10,000. */
function hash({ last: _, ...world }: World): number {
  const text = Object.values(world).map(toText).join()
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return 4294967296 * (2097151 & b) + (a >>> 0)
}

interface Node {
  readonly world: World
  readonly action?: string
  readonly parent?: Node
}
function getTrace(node: Node | undefined): readonly string[] {
  return node?.action === undefined ? [] : [...getTrace(node.parent), node.action]
}

/** Tries every order of at most `depth` steps, breadth first, so that a violation's trace is shortest. */
export function explore(first: World, rules: Rules, depth: number): Explored {
  const seen = new Set([hash(first)])
  let frontier: readonly Node[] = [{ world: first }]
  for (let level = 0; level < depth; level += 1) {
    const nodes: Node[] = []
    for (const node of frontier)
      for (const action of ACTIONS) {
        const world = take(node.world, action, rules)
        if (!world) continue
        const problem = findViolation(node.world, world)
        const next = { world, action: action.name, parent: node }
        if (problem) return { states: seen.size, violation: { problem, trace: getTrace(next) } }
        const key = hash(world)
        if (seen.has(key)) continue
        seen.add(key)
        nodes.push(next)
      }
    frontier = nodes
  }
  return { states: seen.size }
}

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Natural logarithm of the maximum factor between two worlds in the weight of a kind. */
const RARITY = 2

interface Drawn {
  readonly name: string
  readonly next: World
}

/** Draws a possible step of a kind. Kinds of a high weight come first. */
function drawStep(world: World, rules: Rules, random: () => number, weights: readonly number[]): Drawn | undefined {
  // Exponential sampling: the lowest of these keys belongs to each kind with a probability by its weight.
  const keys = weights.map((weight, index) => ({ index, key: -Math.log(1 - random()) / weight }))
  for (const { index } of keys.sort((a, b) => a.key - b.key)) {
    const possible = (KINDS[index]?.actions ?? []).flatMap(action => {
      const next = take(world, action, rules)
      return next ? [{ name: action.name, next }] : []
    })
    if (possible.length > 0) return possible[Math.floor(random() * possible.length)]
  }
  return undefined
}

/** Takes random possible steps, and stops at the first violation. */
export function wander(first: World, rules: Rules, random: () => number, steps: number): Violation | undefined {
  const trace: string[] = []
  // Kinds that are rare in this world do not cut short what needs many of the others.
  const weights = KINDS.map(({ weight }) => weight * Math.exp(RARITY * random()))
  let world = first
  for (let step = 0; step < steps; step += 1) {
    const drawn = drawStep(world, rules, random, weights)
    if (!drawn) return undefined
    trace.push(drawn.name)
    const problem = findViolation(world, drawn.next)
    if (problem) return { problem, trace }
    world = drawn.next
  }
  return undefined
}

/** Replays a trace, without the steps that are not possible. Returns the problem. */
export function follow(first: World, rules: Rules, trace: readonly string[]): string | undefined {
  let world = first
  for (const name of trace) {
    const action = ACTIONS.find(it => it.name === name)
    const next = action && take(world, action, rules)
    if (!next) continue
    const problem = findViolation(world, next)
    if (problem) return problem
    world = next
  }
  return undefined
}

/** Removes the steps that the violation does not need. */
export function shorten(first: World, rules: Rules, { problem, trace }: Violation): Violation {
  for (let index = trace.length - 1; index >= 0; index -= 1) {
    const without = trace.filter((_, at) => at !== index)
    if (follow(first, rules, without) === problem) return shorten(first, rules, { problem, trace: without })
  }
  return { problem, trace }
}
