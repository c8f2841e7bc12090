/** Runs the product API as its own process. */
import { createRequire } from 'node:module'
import { type ServiceProcess, startServiceProcess } from './service-process.js'

export interface ApiProcess extends ServiceProcess {
  /** URL of the API, e.g. `http://api.app.localhost:4100/api/v0`. */
  readonly url: string
  readonly port: number
}

/** Program that `npm start` runs, next to the package's exports. */
const MAIN = createRequire(import.meta.url)
  .resolve('@keybay/sandbox-api')
  .replace(/index\.js$/, 'sandbox.js')

/** @param env as the README of the API lists them */
export async function startApiProcess(port: number, env: Readonly<Record<string, string>>): Promise<ApiProcess> {
  return {
    ...(await startServiceProcess(MAIN, port, { ...env, API_PORT: String(port) })),
    port,
    url: `http://api.app.localhost:${port}/api/v0`,
  }
}
