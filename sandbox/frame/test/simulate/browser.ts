/** A browser that a simulation kills and opens again: its memory is lost, its disk and its backups stay. */
import { hang } from '@keybay/sandbox-relay/testing/simulated/relay'
import type { Database } from '../../src/page/store/database.js'
import { type Device, newDisk, openDevice, type User } from '../relay/device.js'

export interface Browser {
  readonly name: string
  readonly user: User
  /** Opens the browser, if it is not open. */
  open(): Promise<Device>
  /** Runs `act` until it ends or the browser dies. */
  run<T>(act: (device: Device) => Promise<T>): Promise<T>
  isAlive(process: string): boolean
  kill(): void
}
export interface BrowserParts {
  readonly name: string
  readonly user: User
  /** Backups that the app keeps for the user, in all browsers. */
  readonly backups: Device['backups']
  readonly apiUrl: string
  readonly clock: { now(): number }
  /** Called before each use of the disk. @returns true to kill the browser first */
  readonly onDisk: () => boolean
}

export class BrowserDied extends Error {}

export function createBrowser({ name, user, backups, apiUrl, clock, onDisk }: BrowserParts): Browser {
  const { database: disk } = newDisk()
  let processes = 0
  let current: { readonly process: string; readonly device: Promise<Device>; readonly died: Promise<never> } | undefined
  let die = (_: Error) => {}
  const isAlive = (process: string) => current?.process === process
  const kill = () => {
    current = undefined
    die(new BrowserDied(`${name} died`))
  }
  const start = () => {
    const process = `${++processes}`
    const database: Database = {
      close() {},
      run(mode, act) {
        if (isAlive(process) && onDisk()) kill()
        return isAlive(process) ? disk.run(mode, act) : hang()
      },
    }
    const r1 = { internalUrl: `http://r1.${name}-${process}.sim/api/v0`, clock }
    const died = new Promise<never>((_, reject) => {
      die = reject
    })
    died.catch(() => undefined)
    // Opened in the next turn, because the network first must know this process.
    const device = Promise.resolve().then(() =>
      openDevice(
        { r1, r2: { internalUrl: `http://r2.${name}-${process}.sim/api/v0` }, api: { api: { url: apiUrl } } },
        user,
        { database, backups },
      ),
    )
    device.catch(() => undefined)
    return { process, device, died }
  }
  const up = () => {
    current ??= start()
    return current
  }
  return {
    name,
    user,
    isAlive,
    kill,
    open: () => up().device,
    run(act) {
      const { device, died } = up()
      return Promise.race([device.then(act), died])
    },
  }
}
