/** Pool of connections to any SMTP server. */
import { createTransport, type Transporter } from 'nodemailer'

/** Time for each step of the mail server, in ms. A request waits for it. */
const TIMEOUT_MS = 10_000

/** @param smtpUrl e.g. `smtp://127.0.0.1:4625`, or `smtps://user:password@mail.example:465` */
export function smtpTransport(smtpUrl: string): Transporter {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  return createTransport({
    pool: true,
    host: hostname,
    port: Number(port) || (protocol === 'smtps:' ? 465 : 25),
    secure: protocol === 'smtps:',
    dnsTimeout: TIMEOUT_MS,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // An email must not include files or content of URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  })
}
