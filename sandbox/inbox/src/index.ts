/** Runs the sandbox's inbox. Start reading at {@link startInbox}, which puts the parts together. */
import { aloneIn, isLocalName, listen } from '@keybay/sandbox-service'
import { defineService, type Service, type ServiceOptions } from '@keybay/sandbox-service/define-service'
import { jsonError, mountInbox } from './http.js'
import { createSmtpServer } from './smtp.js'
import { MessageStore } from './store.js'

export type { Message, MessageKind } from './store.js'

export interface InboxOptions extends Pick<ServiceOptions, 'port' | 'host' | 'dataDir' | 'clock'> {
  /** SMTP port; 0, the default, takes any free port. */
  readonly smtpPort?: number
}

interface InboxFacts {
  /** URL of the SMTP server, e.g. `smtp://127.0.0.1:4625`. */
  readonly smtpUrl: string
  readonly smtpPort: number
}

/** Running inbox; `url` is that of the page, the JSON and the SMS endpoint. */
export interface Inbox extends Service, InboxFacts {}

const start = defineService<InboxOptions & ServiceOptions, InboxFacts>({
  name: 'inbox',
  localName: host => (host === '127.0.0.1' ? 'localhost' : host),
  adminErrors: {
    notLocal: () => jsonError('forbidden', 'The inbox answers this machine only.'),
    invalidRequest: ({ expected }) => jsonError('invalid_request', `Expected ${expected}.`),
  },
  graceMs: 500,
  async create({ options, clock, onStop }) {
    const { host = '127.0.0.1', smtpPort = 0, dataDir } = options
    const store = new MessageStore(clock, dataDir)
    return async ({ app }) => {
      mountInbox(app, { store, isOpen: isOpen(host) })
      const smtp = createSmtpServer(mail => store.add(mail))
      // A client that disconnects in the middle of a mail must not end the inbox. `listen` reports a taken port.
      smtp.on('error', error => smtp.server.listening && console.warn(`inbox: ${error.message}`))
      const listening = { service: 'inbox', variable: 'INBOX_SMTP_PORT', port: smtpPort, host }
      const port = await listen(smtp.server, listening)
      onStop(() => new Promise<void>(resolve => smtp.close(() => resolve())))
      return { facts: { smtpUrl: `smtp://${host}:${port}`, smtpPort: port } }
    }
  },
})

/** Checks for a host other than this machine's; the inbox then also answers other machines of a private network. */
function isOpen(host: string): boolean {
  return host !== '::1' && !isLocalName(host)
}

/**
 * Starts the inbox.
 * @throws PortTakenError when a port is in use; Error that names the folder when another process has it
 * @example
 * const inbox = await startInbox({ port: 4600, smtpPort: 4625 })
 * const mail = await (await fetch(`${inbox.url}/api/messages/latest?to=ann@example.com&wait=5000`)).json()
 * await inbox.stop()
 */
export function startInbox(options: InboxOptions = {}): Promise<Inbox> {
  const { host = '127.0.0.1' } = options
  return aloneIn(options.dataDir, () => start({ ...options, mode: 'sandbox', admin: !isOpen(host) }))
}
