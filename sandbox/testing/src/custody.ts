/** What a sandbox with key custody has besides: the service as a process of its own, and the window that opens exports. */
import { createRequire } from 'node:module'
import { type FrameHost, readExports, startFrame } from '@keybay/sandbox-frame'
import { type ServiceProcess, startServiceProcess } from './service-process.js'

export interface CustodyServices extends ServiceProcess {
  /** As a browser reaches it. */
  readonly url: string
  readonly frame: FrameHost
  stop(): Promise<void>
}
export interface AroundCustody {
  /** Of the API, which finds the operator's key there. */
  readonly dataDir: string
  readonly port: number
  readonly appPort: number
  readonly framePort: number
  readonly inbox: { readonly port: number; readonly smtpPort: number }
}

/** The program, beside what the package exports. */
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
