import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { Arrival } from './store.js'

const MAX_MAIL_BYTES = 1024 * 1024

/** Reads a mail. The recipients come from the envelope, because these addresses really received it. */
async function readMail(raw: Buffer, from: string, to: readonly string[]): Promise<Arrival> {
  const { subject = '', text = '', html } = await PostalMime.parse(raw)
  return { kind: 'mail', from, to, subject, text: text.trim(), ...(html !== undefined && { html }) }
}

/** Creates an SMTP server that accepts every mail from this machine and delivers none. */
export function createSmtpServer(received: (mail: Arrival) => void): SMTPServer {
  return new SMTPServer({
    banner: 'Keybay sandbox inbox',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAX_MAIL_BYTES,
    closeTimeout: 1_000,
    onData(stream, session, done) {
      const parts: Buffer[] = []
      // A mail that is too long is read to its end and dropped, as the protocol requires.
      stream.on('data', (part: Buffer) => {
        if (stream.sizeExceeded) parts.length = 0
        else parts.push(part)
      })
      stream.on('error', done)
      stream.on('end', () => {
        if (stream.sizeExceeded) return done(Object.assign(new Error('The mail is too large'), { responseCode: 552 }))
        const { mailFrom, rcptTo } = session.envelope
        readMail(
          Buffer.concat(parts),
          mailFrom ? mailFrom.address : '',
          rcptTo.map(({ address }) => address),
        ).then(mail => {
          received(mail)
          done()
        }, done)
      })
    },
  })
}
