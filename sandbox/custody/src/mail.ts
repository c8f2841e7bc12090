/** Sends recovery mails over any SMTP server; default: the sandbox's inbox. */
import { smtpTransport } from '@keybay/sandbox-service/mail'
import { CustodyError, unavailable } from './http/errors.js'

export type Mail = ReturnType<typeof createMail>

/** @param smtpUrl e.g. `smtp://127.0.0.1:4625` */
export function createMail({ smtpUrl, from }: { readonly smtpUrl: string; readonly from: string }) {
  const transport = smtpTransport(smtpUrl)
  return {
    /** @throws CustodyError when the mail server refuses the mail */
    async send(to: string, subject: string, text: string): Promise<void> {
      try {
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
      } catch {
        // Leave out the mail server's message, which quotes the address.
        throw new CustodyError(unavailable, { reason: 'The mail could not be sent.' })
      }
    },
    close: (): void => transport.close(),
  }
}
