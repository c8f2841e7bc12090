/** Sends recovery mails over any SMTP server; default: the sandbox's inbox. */
import { smtpTransport } from '@keybay/sandbox-service/mail'
import { CustodyError, unavailable } from './http/errors.js'

export interface Mail {
  /** @throws CustodyError when the mail server refuses the mail */
  send(to: string, subject: string, text: string): Promise<void>
  close(): void
}

export interface MailOptions {
  /** e.g. `smtp://127.0.0.1:4625` */
  readonly smtpUrl: string
  readonly from: string
}

export function createMail({ smtpUrl, from }: MailOptions): Mail {
  const transport = smtpTransport(smtpUrl)
  return {
    async send(to, subject, text) {
      try {
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
      } catch {
        // Leave out the mail server's message, which quotes the address.
        throw new CustodyError(unavailable, { reason: 'The mail could not be sent.' })
      }
    },
    close: () => transport.close(),
  }
}
