/** Starts an instance at its first use in a browser, and ends it once. */
import type { Logger } from './logger.js'
import { quietly } from './spec/shape.js'

/** Returns what ends it, if anything. */
type Step = () => (() => void) | undefined

export interface Lifecycle {
  readonly isDisposed: boolean
  /** Adds a step of the start, or runs it at once if the instance has started. */
  onStart(step: Step): void
  onDispose(run: () => void): void
  /** Runs what belongs to one plugin or step. What it throws is logged, and does not stop the others. */
  guard(name: string, run: () => void): void
  start(): void
  /** Runs the steps of the end, the last one first. */
  dispose(): void
}

export function createLifecycle(logger: Logger): Lifecycle {
  let isStarted = false
  let isDisposed = false
  const startSteps: Step[] = []
  const endSteps: (() => void)[] = []
  const guard: Lifecycle['guard'] = (name, run) => quietly(run, error => logger.error(name, error))
  const begin = (step: Step) =>
    guard('start', () => {
      const end = step()
      if (end) endSteps.push(end)
    })
  return {
    get isDisposed() {
      return isDisposed
    },
    guard,
    onStart(step) {
      if (isStarted) begin(step)
      else startSteps.push(step)
    },
    onDispose(run) {
      endSteps.push(run)
    },
    start() {
      if (isStarted || isDisposed || typeof window === 'undefined') return
      isStarted = true
      startSteps.splice(0).forEach(begin)
    },
    dispose() {
      isDisposed = true
      isStarted = false // a step that is added now must not run
      for (const end of endSteps.splice(0).reverse()) guard('dispose', end)
    },
  }
}
