/** Checks of the return from a redirect: the connector claims only its own URLs, and only for its own requests. */
import { check } from './check.js'
import type { ConnectorCheck } from './expectations.js'
import { settle } from './fake-clock.js'
import { demand, directContext, until, within } from './stage.js'

/** URLs of other apps, some of them malformed. */
const FOREIGN = [
  'https://example.com/',
  'https://example.com/?code=1&state=2',
  'https://example.com/?a=%E0%A4%A&b=%',
  'https://example.com/#access_token=x',
  `https://example.com/?data=${'x'.repeat(100_000)}`,
  'about:blank',
  'data:text/html,x',
]

export const resumeChecks: readonly ConnectorCheck[] = [
  check({
    name: 'claims: synchronous, and never throws or claims what is not its own',
    async play({ connector }) {
      if (!connector.claims) return
      for (const address of FOREIGN) {
        const shown = address.slice(0, 60)
        let claimed: unknown
        try {
          claimed = connector.claims(new URL(address))
        } catch (error) {
          demand(false, `claims must not throw for ${shown}: ${String(error)}`)
        }
        demand(claimed === false, `claims must be false for ${shown}, not ${String(claimed)}`)
      }
    },
  }),
  check({
    name: 'claims: its own return address',
    when: ({ returnUrl }) => returnUrl !== undefined,
    async play({ connector }, { returnUrl = '' }) {
      demand(connector.claims?.(new URL(returnUrl)), `claims must be true for ${returnUrl}, or its state`)
      demand(connector.resume, 'what claims an address must resume')
    },
  }),
  check({
    name: 'resume: without an attempt connects nothing',
    async play(stage, expectations) {
      const { connector, events } = stage
      if (!connector.resume) return
      const control = new AbortController()
      const { ctx } = directContext(control.signal, stage)
      // Calls the connector directly, because the kernel rejects such a response in any case.
      const call = async () =>
        connector.resume?.(new URL(expectations.returnUrl ?? location.href), { ...ctx, attempt: undefined })
      let answer: unknown
      const answered = call().then(
        value => {
          answer = value
        },
        () => {},
      )
      await within(answered, 'a resume without an attempt must settle', expectations)
      await settle()
      control.abort()
      demand(answer === undefined, 'a resume without an attempt must fail')
      demand(!stage.isIn, 'a resume without an attempt must connect nothing')
      const names = events.map(({ name }) => name)
      demand(!names.includes('session:changed'), 'a resume without an attempt must not touch the session')
    },
  }),
  check({
    name: 'resume: an unexpected return is reported, and the page goes on',
    when: ({ returnUrl }) => returnUrl !== undefined,
    async play(stage, expectations) {
      const { href } = location
      history.replaceState(null, '', expectations.returnUrl)
      try {
        const again = await stage.reload()
        const failed = () => again.keybay.attempts.get(expectations.id)?.status === 'failed'
        await until(failed, 'an unexpected return must be a failed attempt', expectations)
        demand(!again.isIn, 'an unexpected return must connect nothing')
      } finally {
        history.replaceState(null, '', href)
      }
    },
  }),
]
