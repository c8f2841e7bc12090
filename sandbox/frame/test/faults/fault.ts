/**
 * Finds what can break in an operation: one clean run records the operation's requests, the services that take part in
 * each, and the frame's writes. A cell is one of these moments × the participant that dies.
 */
import type { Page, Request } from 'playwright-core'
import { reload } from '../user.js'
import { forgetStop, getWrites, stopAtWrite } from './frame-writes.js'
import { hurry } from './page-hooks.js'
import type { Heard, Moment, Requested } from './service.js'
import { shortened } from './shortened.mjs'
import { SERVICES, type ServiceName, type Stack } from './stack.js'

/** Participants that can die. */
export const VICTIMS = ['frame', ...SERVICES] as const
export type Victim = (typeof VICTIMS)[number]

export interface Step {
  /** e.g. `POST /wallets/…/reshare/begin` */
  readonly name: string
  /** Absent for a write of the frame to its disk. */
  readonly request?: (Requested & { readonly service: ServiceName }) | undefined
  /** True if the frame of the operation's page does the step; false for another device or a server. */
  readonly byFrame: boolean
  /** Requests that this service sent to others during the step. */
  readonly inner: readonly (Requested & { readonly service: ServiceName })[]
}

function isService(name: string): name is ServiceName {
  return SERVICES.some(service => service === name)
}
const FRAME = '/waas-v1/local'
/** Accepts the browser's requests, but not the frame's files that load only once. */
function isPart({ service, path, byBrowser }: Heard): boolean {
  return byBrowser && (service !== 'frame host' || path === FRAME)
}

function getName({ method, path }: Heard): string {
  return path === FRAME ? 'GET the frame' : `${method} ${path}`
}

function getKey({ service, method, path }: Requested & { readonly service: string }): string {
  return `${service} ${method} ${path}`
}
interface Run {
  readonly heard: readonly Heard[]
  /** Keys of the page's requests. */
  readonly asked: ReadonlySet<string>
  readonly writes: readonly string[]
}

function getSteps({ heard, asked, writes }: Run): readonly Step[] {
  const steps = new Map<string, Step>()
  const ordered = heard.toSorted((a, b) => a.at - b.at)
  for (const entry of ordered.filter(isPart)) {
    const { service, method, path, at, done = Number.POSITIVE_INFINITY } = entry
    if (!isService(service)) continue
    const inner = ordered.flatMap(other =>
      !other.byBrowser && other.at > at && other.at < done && isService(other.service) && other.service !== service
        ? [{ service: other.service, method: other.method, path: other.path }]
        : [],
    )
    const name = getName(entry)
    const request = { service, method, path }
    if (!steps.has(name)) steps.set(name, { name, request, byFrame: asked.has(getKey(request)), inner })
  }
  return [
    ...steps.values(),
    ...[...new Set(writes)].map(name => ({ name: `writes ${name}`, byFrame: true, inner: [] })),
  ]
}

/** Checks for a step that only reads, for which one moment is enough. */
function isReading({ name }: Step): boolean {
  return /^GET |\/(list|take|query|caller|party)$/.test(name)
}
/**
 * Checks for a step that stores, hands out, reads back or puts something in force, which could leave it half done, or
 * that loads the frame.
 */
export function isWritten({ name }: Step): boolean {
  return /^writes |the frame$|\/(finish|commit|revoke|backup|files)$|\/files\/…$|\/backups\/…\/…$|^POST \/backups\//.test(
    name,
  )
}

function getVictims({ request, byFrame, inner }: Step): readonly Victim[] {
  return [
    ...new Set<Victim>([
      ...(byFrame ? (['frame'] as const) : []),
      ...(request ? [request.service] : []),
      ...inner.map(({ service }) => service),
    ]),
  ]
}
/** Checks for a step that decides what is in force. */
function decides({ name }: Step): boolean {
  return /^writes |the frame$|\/(finish|commit|revoke)$/.test(name)
}
/** Returns the moments to break a step at. If nothing is in force yet, dying after all the work is the worse case. */
function getMoments(step: Step): readonly Moment[] {
  if (isReading(step)) return ['asked']
  return decides(step) ? ['asked', 'done'] : ['done']
}

export interface Fault {
  /** Resolves when the frame is dead and the page is back. Never resolves if a service dies. */
  readonly frameGone: Promise<void>
  readonly isFrameDying: () => boolean
  /** Revives all participants after the attempt. @returns true if the operation reached that moment */
  end(): Promise<boolean>
}

const never = new Promise<void>(() => {})

interface Killing {
  readonly victim: ServiceName
  readonly step: Step
  readonly moment: Moment
}

async function killService(stack: Stack, page: Page, { victim, step, moment }: Killing): Promise<Fault> {
  const { request, inner } = step
  if (!request) throw new RangeError('the step has no request')
  const service = stack.services[victim]
  // Some of the victim's responses are cached, so the victim dies at the first request.
  const victimRequests = inner.filter(({ service }) => service === victim)
  if (request.service === victim) await service.dieAt([request], moment)
  else {
    await stack.prepareToForget()
    // Only within this step, because other steps send the same requests.
    await stack.services[request.service].holdAt(request, async () => {
      await stack.forget()
      await service.dieAt(victimRequests, moment)
    })
  }
  return {
    frameGone: never,
    isFrameDying: () => false,
    async end() {
      const outer = stack.services[request.service]
      if (outer !== service) await outer.disarm()
      const hasDied = await service.disarm()
      if (hasDied) await service.start()
      await hurry(page, 1)
      return hasDied
    },
  }
}

async function killFrameAtWrite(page: Page, name: string, moment: Moment): Promise<Fault> {
  let isGone = false
  const frameGone = new Promise<void>(resolve =>
    stopAtWrite(page, name, moment, () => {
      isGone = true
      resolve(reload(page))
    }),
  )
  return {
    frameGone,
    isFrameDying: () => isGone,
    async end() {
      if (!isGone) await forgetStop(page)
      return isGone
    },
  }
}

async function killFrameAtRequest(stack: Stack, page: Page, step: Step, moment: Moment): Promise<Fault> {
  const { request } = step
  if (!request) throw new RangeError('the step has no request')
  const service = stack.services[request.service]
  let isGone = false
  let goneAt: (back: Promise<void>) => void = () => {}
  const frameGone = new Promise<void>(resolve => {
    goneAt = resolve
  })
  await service.dropAt(request, moment, () => {
    isGone = true
    const back = reload(page)
    goneAt(back)
    return back
  })
  return {
    frameGone,
    isFrameDying: () => isGone,
    async end() {
      await service.disarm()
      return isGone
    },
  }
}

const WRITES = 'writes '
/** From now on `victim` dies when the operation comes to this moment. @param page whose frame it is */
export async function arm(stack: Stack, page: Page, victim: Victim, step: Step, moment: Moment): Promise<Fault> {
  // The page waits for the frame host in vain, twice: 21 s.
  if (victim === 'frame host') await hurry(page, 10)
  if (victim !== 'frame') return killService(stack, page, { victim, step, moment })
  if (step.request) return killFrameAtRequest(stack, page, step, moment)
  return killFrameAtWrite(page, step.name.slice(WRITES.length), moment)
}

/** @returns the requests and writes of an operation, when nothing breaks. @param page whose frame counts */
export async function record(stack: Stack, page: Page, act: () => Promise<unknown>): Promise<readonly Step[]> {
  const heardBefore = stack.heard.length
  const writesBefore = getWrites(page).length
  const requestKeys = new Set<string>()
  const note = (request: Request): void => {
    const service = stack.serviceAt(request.url())
    if (service)
      requestKeys.add(getKey({ service, method: request.method(), path: shortened(new URL(request.url()).pathname) }))
  }
  page.context().on('request', note)
  await stack.forget()
  await act()
  page.context().off('request', note)
  return getSteps({
    heard: stack.heard.slice(heardBefore),
    asked: requestKeys,
    writes: getWrites(page).slice(writesBefore),
  })
}

interface Cell {
  readonly victim: Victim
  readonly moment: Moment
}
export type ChooseCells = (step: Step) => readonly Cell[]

function getCells(step: Step): readonly Cell[] {
  return getVictims(step).flatMap(victim => getMoments(step).map(moment => ({ victim, moment })))
}

/**
 * Returns one cell for each name of a step, over all operations of a run, and with them every victim and moment once.
 * Steps of the same name are the same request to the same service.
 */
function createSample(): ChooseCells {
  const sampled = new Set<string>()
  const uses = new Map<string, number>()
  const countUses = ({ victim, moment }: Cell) => uses.get(`${victim} ${moment}`) ?? 0
  return step => {
    const isNew = !sampled.has(step.name)
    sampled.add(step.name)
    const [cell] = getCells(step).toSorted((a, b) => countUses(a) - countUses(b))
    if (!cell || !(isNew || countUses(cell) === 0)) return []
    uses.set(`${cell.victim} ${cell.moment}`, countUses(cell) + 1)
    return [cell]
  }
}

/** Returns every cell if `KEYBAY_SOAK` is 1. */
export function createChoice(): ChooseCells {
  return process.env.KEYBAY_SOAK === '1' ? getCells : createSample()
}
