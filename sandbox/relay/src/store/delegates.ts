/** Current delegates, from the settings and from the operator's file. */
import { readFileSync, statSync } from 'node:fs'
import * as v from 'valibot'
import { delegateList, type Environment, type ListedDelegate } from '../environments.js'

interface Read {
  /** ms since epoch */
  readonly changedAt: number
  readonly delegates: readonly ListedDelegate[]
}
const files = new Map<string, Read>()

/** Reads the operator's file. A missing or unreadable file lists no delegates, rather than the previous delegates. */
function fromFile(path: string): readonly ListedDelegate[] {
  try {
    const { mtimeMs: changedAt } = statSync(path)
    const known = files.get(path)
    if (known?.changedAt === changedAt) return known.delegates
    const delegates = v.parse(delegateList, JSON.parse(readFileSync(path, 'utf8')))
    files.set(path, { changedAt, delegates })
    return delegates
  } catch {
    files.delete(path)
    return []
  }
}

export function getDelegates({ delegates, delegatesFile }: Environment): readonly ListedDelegate[] {
  return delegatesFile === undefined ? delegates : [...delegates, ...fromFile(delegatesFile)]
}
