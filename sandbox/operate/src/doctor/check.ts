/** A check of the doctor, and what came of it. */
import type { ServiceName } from '../services.js'

/** A failed check: what is wrong, and the one thing to do. */
export class Finding extends Error {
  readonly remedy: string

  constructor(problem: string, remedy: string) {
    super(problem)
    this.name = 'Finding'
    this.remedy = remedy
  }
}

export interface Check {
  readonly service: ServiceName
  readonly name: string
  /** Advice for an error that is not a {@link Finding}. */
  readonly remedy: string
  /** Returns what was seen. @throws Finding, or any error */
  run(): Promise<string>
}

export interface Result {
  readonly service: ServiceName
  readonly check: string
  readonly ok: boolean
  readonly detail: string
  readonly remedy?: string
}

function describeProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Node's fetch hides the reason.
  const { cause } = error
  const code = cause instanceof Error ? ('code' in cause ? cause.code : cause.message) : undefined
  return code === undefined || code === '' ? error.message : `${error.message} (${code})`
}

/** Runs a check, and fails it when it has no result in time. @param timeoutMs ms */
export async function runCheck({ service, name, remedy, run }: Check, timeoutMs: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`There was no answer within ${timeoutMs / 1000} s.`)), timeoutMs)
  })
  try {
    return { service, check: name, ok: true, detail: await Promise.race([run(), late]) }
  } catch (error) {
    const detail = describeProblem(error)
    return { service, check: name, ok: false, detail, remedy: error instanceof Finding ? error.remedy : remedy }
  } finally {
    clearTimeout(timer)
  }
}

/** Keeps text of another server, such as an error of a database, in its line of the terminal. */
function showInLine(text: string): string {
  return text.replace(/[\p{C}\s]+/gu, ' ')
}

/** Writes results for a reader. */
export function printResults(results: readonly Result[]): string {
  const failed = results.filter(({ ok }) => !ok)
  const lines = results.map(({ service, check, ok, detail, remedy }) => {
    const line = `${ok ? 'ok  ' : 'FAIL'}  ${service.padEnd(7)}  ${check}: ${showInLine(detail)}`
    return remedy === undefined ? line : `${line}\n      → ${showInLine(remedy)}`
  })
  const end = failed.length === 0 ? 'All checks passed.' : `${failed.length} of ${results.length} checks failed.`
  return [...lines, '', end].join('\n')
}
