/** The sandbox's inbox. Begin reading here: {@link startInbox} puts the parts together. */
import { createAdaptorServer } from '@hono/node-server'
import { aloneIn, type Clock, closeServer, isLocalName, listen, MovableClock } from '@keybay/sandbox-service'
import { createInboxApp } from './http.js'
import { createSmtpServer } from './smtp.js'
import { MessageStore } from './store.js'

export type { Message, MessageKind } from './message.js'

export interface InboxOptions {
  /** Of the page, the JSON and the SMS endpoint. 0, the default, takes any free port. */
  readonly port?: number
  /** 0, the default, takes any free port. */
  readonly smtpPort?: number
  /** Default 127.0.0.1; with another one the inbox answers other machines of a private network. */
  readonly host?: string
  /** Where the messages are kept; without it they go with the process. */
  readonly dataDir?: string
  readonly clock?: Clock
}

export interface Inbox {
  /** e.g. `http://localhost:4600` */
  readonly url: string
  readonly port: number
  /** e.g. `smtp://127.0.0.1:4625` */
  readonly smtpUrl: string
  readonly smtpPort: number
  stop(): Promise<void>
}

/**
 * Starts the inbox.
 *
 * @throws PortTakenError when a port is in use; Error that names the folder when another process has it
 * @example
 * const inbox = await startInbox({ port: 4600, smtpPort: 4625 })
 * const mail = await (await fetch(`${inbox.url}/api/messages/latest?to=ann@example.com&wait=5000`)).json()
 * await inbox.stop()
 */
export function startInbox(options: InboxOptions = {}): Promise<Inbox> {
  return aloneIn(options.dataDir, () => start(options))
}

async function start(options: InboxOptions): Promise<Inbox> {
  const { host = '127.0.0.1', port = 0, smtpPort = 0, dataDir } = options
  const clock = new MovableClock(options.clock)
  const store = new MessageStore(clock, dataDir)
  const app = createInboxApp({ store, clock, open: host !== '::1' && !isLocalName(host) })
  const http = createAdaptorServer({ fetch: app.fetch, hostname: host })
  const smtp = createSmtpServer(mail => store.add(mail))
  // A client that goes away in the middle is no reason to end. (A taken port is reported by `listen`.)
  smtp.on('error', error => smtp.server.listening && console.warn(`inbox: ${error.message}`))
  const ports = {
    http: await listen(http, { service: 'inbox', variable: 'INBOX_PORT', port, host }),
    smtp: await listen(smtp.server, { service: 'inbox', variable: 'INBOX_SMTP_PORT', port: smtpPort, host }).catch(
      async error => {
        await closeServer(http, 0)
        throw error
      },
    ),
  }
  return {
    url: `http://${host === '127.0.0.1' ? 'localhost' : host}:${ports.http}`,
    port: ports.http,
    smtpUrl: `smtp://${host}:${ports.smtp}`,
    smtpPort: ports.smtp,
    async stop() {
      await Promise.all([closeServer(http, 500), new Promise<void>(resolve => smtp.close(() => resolve()))])
    },
  }
}
