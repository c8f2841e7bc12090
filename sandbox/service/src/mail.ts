/** Pool of connections to any SMTP server. */
import { setTimeout } from 'node:timers/promises'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { isLocalName } from './local.js'

/** Time for a mail, in ms: a request waits for it. Also the time for each step of the mail server. */
const TIMEOUT_MS = 10_000

export interface MailTransport {
  /** @throws nodemailer's error, or Error with code `ETIMEDOUT` when the mail server has not accepted the mail in time */
  sendMail(message: SendMailOptions): Promise<void>
  /** Connects and signs in, and sends nothing. @throws nodemailer's error */
  verify(): Promise<void>
  close(): void
}

/** @param smtpUrl e.g. `smtp://127.0.0.1:4625`, or `smtps://user:password@mail.example:465`; `smtp:` to another machine needs its STARTTLS */
export function smtpTransport(smtpUrl: string, timeoutMs = TIMEOUT_MS): MailTransport {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  const transport = createTransport({
    pool: true,
    host: hostname,
    port: Number(port) || (protocol === 'smtps:' ? 465 : 25),
    secure: protocol === 'smtps:',
    // Else someone on the way could remove STARTTLS, and read every code.
    requireTLS: !isLocalName(hostname),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // An email must not include files or content of URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  })
  return {
    async sendMail(message) {
      const sent = new AbortController()
      // A server that answers each step late, or drips its answers, would pass the time-outs of the steps.
      const late = setTimeout(timeoutMs, undefined, { signal: sent.signal }).then(() => {
        throw Object.assign(new Error('The mail server took too long.'), { code: 'ETIMEDOUT' })
      })
      try {
        await Promise.race([transport.sendMail(message), late])
      } finally {
        late.catch(() => undefined)
        sent.abort()
      }
    },
    verify: async () => void (await transport.verify()),
    close: () => transport.close(),
  }
}
