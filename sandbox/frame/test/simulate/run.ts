/** Runs worlds step by step, and checks the invariants after each step. */
import { act } from './actions.js'
import { createChecks } from './checks.js'
import type { Network } from './network.js'
import { startServices } from './services.js'
import { describeStep, type Step } from './steps.js'
import { openWorld, passTime } from './world.js'

/** Real time after which a step counts as endless, in ms. */
const ENDLESS_MS = 60_000
/** Maximum number of steps inside each other. */
const DEPTH = 2

export interface Result {
  readonly trace: readonly string[]
  /** Broken invariant; undefined: none. */
  readonly violation: string | undefined
}
export interface Simulator {
  run(steps: readonly Step[]): Promise<Result>
  stop(): Promise<void>
}

const ENDLESS = 'a step never ends'
function inTime<T>({ endless }: Network, work: Promise<T>): Promise<T | string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ENDLESS_MS)
  })
  const noEnd = Promise.race([late, endless]).then(() => ENDLESS)
  return Promise.race([work, noEnd]).finally(() => clearTimeout(timer))
}

/** Returns the browsers that a step uses. A new device asks the other one to admit it. */
function getDevices(step: Step): readonly number[] {
  if (step.do === 'join') return [0, 1]
  return 'device' in step ? [step.device] : []
}

function hasInner({ faults = [] }: Step): boolean {
  return faults.some(({ what }) => what === 'inner step')
}

export async function startSimulator(): Promise<Simulator> {
  const offline = { fetch: () => Promise.reject(new TypeError('no world is open')), take: () => [] }
  let network: Pick<Network, 'fetch' | 'take'> = offline
  const services = await startServices(() => network)

  const run = async (steps: readonly Step[]): Promise<Result> => {
    const running: Step[] = []
    let violation: string | undefined
    const perform = async (step: Step): Promise<void> => {
      const isBusy = running.some(outer => getDevices(outer).some(device => getDevices(step).includes(device)))
      if (isBusy || running.length === DEPTH || violation !== undefined) return
      running.push(step)
      const number = world.trace.push(describeStep(step)) - 1
      await passTime(services)
      const { network } = world
      const outcome = await inTime(
        network,
        network.within(step.faults ?? [], () => act(world, step)),
      )
      world.trace[number] += ` = ${outcome}`
      if (outcome === ENDLESS) violation ??= ENDLESS
      const isPlain = running.length === 1 && !hasInner(step)
      violation ??= await inTime(
        network,
        network.within([], () => checks.afterStep(step, outcome, isPlain)),
      )
      running.pop()
    }
    const world = await openWorld(services, perform)
    network = world.network
    const checks = createChecks(world)
    for (const step of steps) await perform(step)
    violation ??= await inTime(world.network, checks.atEnd())
    network = offline
    return { trace: world.trace, violation }
  }
  return { run, stop: services.stop }
}
