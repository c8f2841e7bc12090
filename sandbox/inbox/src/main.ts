/** Runs the inbox alone: `npm start -w sandbox/inbox`, or as a child of the sandbox's starter. */
import { runStandIn, Variables } from '@keybay/sandbox-service'
import { startInbox } from './index.js'

const variables = new Variables(process.env, 'inbox')
const REASON =
  'It stands in for mail and SMS, and shows every message to anyone. Set SMTP_URL and SMS_URL of the services to your own.'

await runStandIn('inbox', REASON, () => {
  const port = variables.portOrAny('INBOX_PORT', 4600)
  return startInbox({
    port,
    smtpPort: variables.portOrAny('INBOX_SMTP_PORT', port === 0 ? 0 : port + 25),
    host: process.env.INBOX_HOST || '127.0.0.1',
    dataDir: variables.dataFolder(),
  })
})
