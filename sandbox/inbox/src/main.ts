/** Runs the inbox alone: `npm start -w sandbox/inbox`, or as a child of the sandbox's starter. */
import { dataFolder, integer, runStandIn } from '@keybay/sandbox-service'
import { startInbox } from './index.js'

const { env } = process
const REASON =
  'It stands in for mail and SMS, and shows every message to anyone. Set SMTP_URL and SMS_URL of the services to your own.'

await runStandIn('inbox', REASON, () => {
  const port = integer(env, 'inbox', 'INBOX_PORT', 4600, [0, 65_535])
  const smtpDefault = port === 0 ? 0 : port + 25
  return startInbox({
    port,
    smtpPort: integer(env, 'inbox', 'INBOX_SMTP_PORT', smtpDefault, [0, 65_535]),
    host: env.INBOX_HOST || '127.0.0.1',
    dataDir: dataFolder(env, 'inbox'),
  })
})
