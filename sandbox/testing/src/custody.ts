/** Runs key custody as a process, and the window that opens its exports. */
import { createRequire } from 'node:module'
import { type FrameHost, readExports, startFrame } from '@keybay/sandbox-frame'
import { type ServiceProcess, startServiceProcess } from './service-process.js'

export interface CustodyServices extends ServiceProcess {
  /** URL for a browser. */
  readonly url: string
  readonly frame: FrameHost
  stop(): Promise<void>
}
export interface AroundCustody {
  /** Folder of the API's data, from which the API reads the operator's key. */
  readonly dataDir: string
  readonly port: number
  readonly appPort: number
  readonly framePort: number
  readonly inbox: { readonly port: number; readonly smtpPort: number }
}

/** Program file, next to the package's exports. */
const MAIN = createRequire(import.meta.url)
  .resolve('@keybay/sandbox-custody')
  .replace(/index\.js$/, 'main.js')

export async function startCustodyServices({
  dataDir,
  port,
  appPort,
  framePort,
  inbox,
}: AroundCustody): Promise<CustodyServices> {
  const env = {
    KEYBAY_DATA_DIR: dataDir,
    CUSTODY_PORT: String(port),
    APP_PORT: String(appPort),
    FRAME_PORT: String(framePort),
    INBOX_PORT: String(inbox.port),
    INBOX_SMTP_PORT: String(inbox.smtpPort),
  }
  const custody = await startServiceProcess(MAIN, port, env)
  const frame = await startFrame({ port: framePort, environments: {}, exports: readExports(env) })
  return {
    ...custody,
    url: `http://localhost:${port}`,
    frame,
    async stop() {
      await Promise.all([frame.stop(), custody.kill()])
    },
  }
}
