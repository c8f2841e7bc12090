/** A limit for each piece of the matrix: what hangs says what it waits for, and takes nothing else with it. */
import { heldBy, whyOf } from './held.js'
import type { Stack } from './stack.js'

/** Where ten others want each processor, the longest takes less than half of it. */
const LIMIT_MS = 120_000
/** For those who are asked what they wait for, and for what was broken off to end. */
const REST_MS = 30_000

/** @returns undefined where it takes longer */
async function endOf<T>(work: Promise<T>, ms: number): Promise<{ readonly value: T } | undefined> {
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

/** Each window and frame that is open, and its text: what the user sees. */
async function seenIn(stack: Stack): Promise<string> {
  const frames = stack.pages().flatMap(page => page.frames())
  const lines = frames.map(async frame => {
    const text = await frame.locator('body').ariaSnapshot({ timeout: 2000 }).catch(whyOf)
    return `${frame.parentFrame() ? '  frame' : 'window'} ${frame.url().replace(/[?#].*/, '')}: ${text.replaceAll(/\s+/g, ' ')}`
  })
  return (await Promise.all(lines)).join('\n')
}

/**
 * @param work says what it is doing whenever that is something else
 * @throws Error with all that is known, where it takes too long; everybody's windows are closed then
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
  const end = await endOf(working, LIMIT_MS)
  if (end) return end.value
  const unanswered = stack.heard
    .slice(heardBefore)
    .flatMap(({ service, method, path, done }) => (done === undefined ? [`${service} ${method} ${path}`] : []))
  const open = await seenIn(stack)
  const [page] = stack.pages()
  const held = page && (await endOf(heldBy(stack, page).catch(whyOf), REST_MS))
  await stack.leave()
  await endOf(working.catch(whyOf), REST_MS)
  throw new Error(
    [
      `${name}: still not over after ${LIMIT_MS / 1000} s, ${doing}`,
      `not answered: ${unanswered.join(', ') || '–'}`,
      open,
      held?.value,
    ].join('\n'),
  )
}
