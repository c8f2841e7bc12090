/** Limits the time of each piece of the matrix: a piece that hangs reports what it waits for, and stops nothing else. */
import type { Stack } from './stack.js'

/** With ten others on each processor, the longest piece takes less than half of this. */
const LIMIT_MS = 120_000
/** Time for aborted work to end. */
const REST_MS = 30_000

/** Formats an error in one line. */
export function getReason(cause: unknown): string {
  const message = cause instanceof Error ? cause.message.split('\n')[0] : String(cause)
  const actual: unknown = Reflect.get(Object(cause), 'actual')
  return actual === undefined ? `${message}` : `${message}: ${JSON.stringify(actual)}`
}

/** @returns undefined if the work takes longer */
async function getEnd<T>(work: Promise<T>, ms: number): Promise<{ readonly value: T } | undefined> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<undefined>(resolve => {
    timer = setTimeout(resolve, ms, undefined)
  })
  try {
    return await Promise.race([work.then(value => ({ value })), over])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns each open window and frame with its text, as the user sees it. */
async function getShown(stack: Stack): Promise<string> {
  const frames = stack.pages().flatMap(page => page.frames())
  const lines = frames.map(async frame => {
    const text = await frame.locator('body').ariaSnapshot({ timeout: 2000 }).catch(getReason)
    return `${frame.url().replace(/[?#].*/, '')}: ${text.replaceAll(/\s+/g, ' ')}`
  })
  return (await Promise.all(lines)).join('\n')
}

/**
 * @param work reports its activity whenever the activity changes
 * @throws Error with everything known, if the work takes too long; all users' windows are closed then
 */
export async function inTime<T>(
  stack: Stack,
  name: string,
  work: (say: (doing: string) => void) => Promise<T>,
): Promise<T> {
  let doing = 'has not begun'
  const heardBefore = stack.heard.length
  const working = work(text => {
    doing = text
  })
  const end = await getEnd(working, LIMIT_MS)
  if (end) return end.value
  const unanswered = stack.heard
    .slice(heardBefore)
    .flatMap(({ service, method, path, done }) => (done === undefined ? [`${service} ${method} ${path}`] : []))
  const shown = await getShown(stack)
  await stack.leave()
  await getEnd(working.catch(getReason), REST_MS)
  const over = `${name}: still not over after ${LIMIT_MS / 1000} s, ${doing}`
  throw new Error([over, `not answered: ${unanswered.join(', ') || '–'}`, shown].join('\n'))
}
