/** Stores each schedule in one file, written atomically and flushed to disk before anything depends on it. */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { flushFolder, replaceFile } from '@keybay/sandbox-service/secrets'
import * as v from 'valibot'
import { type Schedule, scheduleSchema } from './schedule.js'

/** Validates an id: callers choose the ids that file names are made of. */
function isId(setId: string): boolean {
  return /^[\w-]{1,64}$/.test(setId)
}

/** @throws Error that names the file that is not a schedule */
export function openSchedules(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const getFile = (setId: string): string => {
    if (!isId(setId)) throw new Error('This is no id of a share set')
    return join(folder, `${setId}.json`)
  }
  const read = (name: string): Schedule => {
    const parsed = v.safeParse(scheduleSchema, JSON.parse(readFileSync(join(folder, name), 'utf8')))
    if (parsed.success) return parsed.output
    throw new Error(`${join(folder, name)} is no schedule`)
  }
  const names = readdirSync(folder).filter(name => name.endsWith('.json'))
  const schedules = new Map(names.map(read).map(schedule => [schedule.setId, schedule]))
  return {
    all: (): readonly Schedule[] => [...schedules.values()],
    get: (setId: string) => schedules.get(setId),
    /** Writes to disk before it returns. */
    put(schedule: Schedule): void {
      replaceFile(getFile(schedule.setId), JSON.stringify(schedule))
      schedules.set(schedule.setId, schedule)
    },
    remove(setId: string): void {
      rmSync(getFile(setId), { force: true })
      flushFolder(folder)
      schedules.delete(setId)
    },
  }
}
