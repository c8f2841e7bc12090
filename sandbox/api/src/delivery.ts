/** Sends email through any SMTP server and SMS by an HTTP POST; by default both go to the sandbox's inbox. */
import { smtpTransport } from '@keybay/sandbox-service/mail'
import { ApiError, deliveryFailed } from './http/errors.js'
import { createJsonPoster } from './http/json-poster.js'

const SMS_TIMEOUT = 10_000

export type Delivery = ReturnType<typeof createDelivery>

export interface DeliveryOptions {
  /** Example: `smtp://127.0.0.1:4625`, or `smtps://user:password@mail.example:465` */
  readonly smtpUrl: string
  /** URL that accepts `{ to, text }`. */
  readonly smsUrl: string
  readonly from: string
  /** Receives the reason why a message could not be sent, without the recipient. */
  readonly failed: (reason: string) => void
}

/** Keeps only the codes of a mail server's refusal; the text quotes the recipient's address. */
function getReason(error: unknown): string {
  if (!(error instanceof Error && 'code' in error)) return String(error)
  return 'responseCode' in error ? `${error.code} ${error.responseCode}` : String(error.code)
}

/** Its functions throw ApiError `delivery_failed`. */
export function createDelivery({ smtpUrl, smsUrl, from, failed }: DeliveryOptions) {
  const transport = smtpTransport(smtpUrl)
  const poster = createJsonPoster(smsUrl, SMS_TIMEOUT)
  const attempt = async (send: () => Promise<unknown>) => {
    try {
      await send()
    } catch (error) {
      failed(getReason(error))
      throw new ApiError(deliveryFailed)
    }
  }
  return {
    mail: (to: string, subject: string, text: string) =>
      attempt(() => transport.sendMail({ from, to: { name: '', address: to }, subject, text })),
    sms: (to: string, text: string) =>
      attempt(async () => {
        const status = await poster.post({ to, text })
        if (status < 200 || status > 299) throw new Error(`The SMS service answered ${status}`)
      }),
    close() {
      transport.close()
      poster.close()
    },
  }
}
