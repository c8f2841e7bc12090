/** Connect checks: success, rejection, no response, and cancellation by the user. */
import { aborted, connectTimeout, isKeybayError, toKeybayError, userRejected } from '../spec/errors.js'
import { redact } from '../spec/redact.js'
import { check } from './check.js'
import type { ConnectorCheck, Expectations } from './expectations.js'
import { settle } from './fake-clock.js'
import { getProofProblem } from './proof-shape.js'
import { demandNoSecret, lookAround } from './secrets.js'
import { asText } from './sighting.js'
import { demand, directContext, rejection, type Stage, until, within } from './stage.js'

function connected(stage: Stage, expectations: Expectations) {
  return within(stage.connect(), 'a connect that the user approves must resolve', expectations)
}

async function fails(stage: Stage, expectations: Expectations, promise: Promise<unknown>, code: string) {
  const error = await rejection(promise, `a connect must be rejected here (${code})`, expectations)
  demand(isKeybayError(error), `the error must be a KeybayError, not ${String(error)}`)
  demand(error.code === code, `the code must be ${code}, not ${error.code} (${error.message})`)
  demand(!stage.isIn, 'an error must connect nothing')
  demand(!stage.keybay.prompts.list().length, 'no prompt must stay open after an error')
  return error
}
/** Calls the connector directly, without the kernel. */
function callDirectly(stage: Stage, { input }: Expectations, signal: AbortSignal, silent = false) {
  const { connector } = stage
  const { ctx, shown } = directContext(signal, stage, silent)
  // Async, so that a synchronous throw also becomes a rejection.
  const call = async (): Promise<unknown> => {
    if (connector.kind === 'login') return connector.connect(input, ctx)
    if (connector.connect) return connector.connect(ctx)
    return connector.wallet.features['standard:connect']?.connect(silent ? { silent } : undefined)
  }
  const promise = call()
  promise.catch(() => {})
  return { promise, shown }
}

function getCause(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined
}

export const connectChecks: readonly ConnectorCheck[] = [
  check({
    name: 'connect: a wallet gives accounts',
    kind: 'wallet',
    async play(stage, expectations) {
      await connected(stage, expectations)
      const { connector, keybay } = stage
      const accounts = keybay.connections.get(expectations.id)?.accounts ?? []
      demand(connector.kind === 'wallet' && accounts.length > 0, 'there must be an account')
      for (const { address, publicKey, chains, features } of accounts) {
        demand(
          publicKey instanceof Uint8Array || ArrayBuffer.isView(publicKey),
          `${address} must have its publicKey in bytes`,
        )
        demand(chains.length > 0, `${address} must be on a chain`)
        const missing = features.filter(feature => !(feature in connector.wallet.features))
        demand(!missing.length, `${address} must not promise what the wallet lacks: ${missing}`)
      }
    },
  }),
  check({
    name: 'connect: a login gives a credential of its method',
    kind: 'login',
    async play(stage, expectations) {
      let seen: unknown
      stage.kernel.session.register({
        exchange: async credential => {
          const { method, provider, proof } = credential
          // An empty value proves nothing.
          seen = { method, provider, proof: Boolean(proof) && JSON.stringify(proof) !== '{}' }
          return { status: 'authenticated', userId: 'u' }
        },
      })
      await connected(stage, expectations)
      const { connector } = stage
      const expected = connector.kind === 'login' && {
        method: connector.method,
        provider: connector.provider,
        proof: true,
      }
      demand(
        JSON.stringify(seen) === JSON.stringify(expected),
        `the credential must be ${JSON.stringify(expected)}, not ${JSON.stringify(seen)}`,
      )
    },
  }),
  check({
    name: 'connect: the proof has the shape of its method',
    kind: 'login',
    async play(stage, expectations) {
      let problem: string | undefined = 'a login must give a credential'
      stage.kernel.session.register({
        exchange: async credential => {
          problem = getProofProblem(credential)
          return { status: 'authenticated', userId: 'u' }
        },
      })
      await connected(stage, expectations)
      demand(!problem, problem)
    },
  }),
  check({
    name: 'connect: a second call joins the first',
    async play(stage, expectations) {
      const [first, second] = await within(
        Promise.all([stage.connect(), stage.connect()]),
        'two connects at once must both resolve',
        expectations,
      )
      demand(first === second, 'two connects at once must have one answer')
      const opened = stage.events.filter(({ name }) => name === 'connection:opened')
      demand(opened.length <= 1, 'two connects at once must open one connection')
    },
  }),
  check({
    name: 'connect: silent shows nothing',
    async play(stage, expectations) {
      const { open } = window
      const windows: unknown[] = []
      Reflect.set(window, 'open', (...args: unknown[]) => {
        windows.push(args)
        return null
      })
      const before = document.querySelectorAll('body *').length
      const control = new AbortController()
      try {
        const { promise, shown } = callDirectly(stage, expectations, control.signal, true)
        const settled = promise.then(
          () => {},
          () => {},
        )
        const promptShown = until(() => shown.length, 'a silent connect must settle by itself', expectations)
        await within(Promise.race([settled, promptShown]), 'a silent connect must settle by itself', expectations)
        demand(!shown.length, `a silent connect must show nothing, but it showed ${shown}`)
        demand(!windows.length, 'a silent connect must open no window')
        demand(document.querySelectorAll('body *').length === before, 'a silent connect must add nothing to the page')
      } finally {
        control.abort()
        Reflect.set(window, 'open', open)
      }
    },
    kind: 'wallet',
  }),
  check({
    name: 'connect: silent gives no account before the user has approved',
    kind: 'wallet',
    when: ({ notApplicable = {} }) => !notApplicable['is-away'],
    async play(stage, expectations) {
      const { promise } = callDirectly(stage, expectations, new AbortController().signal, true)
      const answer: unknown = await within(
        promise.catch(() => []),
        'a silent connect must settle by itself',
        expectations,
      )
      const accounts: unknown = Array.isArray(answer) ? answer : Object(answer).accounts
      demand(
        !Array.isArray(accounts) || !accounts.length,
        'a silent connect must give no account before the user has approved: pass `silent` to the wallet, or fail',
      )
    },
  }),
  check({
    name: 'connect: silent does not wait for the user',
    kind: 'wallet',
    needs: 'is-away',
    async play(stage, expectations) {
      const control = new AbortController()
      const { promise } = callDirectly(stage, expectations, control.signal, true)
      const settled = promise.then(
        () => {},
        () => {},
      )
      await within(settled, 'a silent connect must settle while the user is away', expectations).finally(() =>
        control.abort(),
      )
    },
  }),
  check({
    name: 'cancel: the connector hears the signal',
    async play(stage, expectations) {
      const { connector } = stage
      // Wallet Standard's connect takes no signal, so the kernel stops waiting instead.
      if (connector.kind === 'wallet' && !connector.connect) return
      for (const when of ['before', 'after']) {
        const control = new AbortController()
        if (when === 'before') control.abort()
        const { promise } = callDirectly(stage, expectations, control.signal)
        control.abort()
        const error = await rejection(
          promise,
          `a connect that was aborted ${when} it began must be rejected`,
          expectations,
        )
        const { code } = toKeybayError(error)
        demand(code === aborted.code, `what an aborted connect is rejected with must be an AbortError, not ${code}`)
      }
    },
  }),
  check({
    name: 'cancel: ends the attempt, and the next one works',
    async play(stage, expectations) {
      const control = new AbortController()
      const attempt = stage.connect(control.signal)
      control.abort()
      await fails(stage, expectations, attempt, aborted.code)
      await connected(stage, expectations)
    },
  }),
  check({
    name: 'time-out: a user who is away is waited for no longer than configured',
    needs: 'is-away',
    async play(stage, expectations) {
      const { clock, keybay } = stage
      const attempt = stage.connect()
      const settled = { yes: false }
      const mark = () => {
        settled.yes = true
      }
      attempt.then(mark, mark)
      await clock.advance(keybay.config.connectTimeout - 1)
      demand(!settled.yes, 'a connect must wait while the user is away')
      // The kernel sets no time limit while a prompt is open.
      if (keybay.prompts.list().length) {
        keybay.attempts.reset(expectations.id)
        await fails(stage, expectations, attempt, aborted.code)
        return
      }
      await clock.advance(1)
      await fails(stage, expectations, attempt, connectTimeout.code)
    },
  }),
  check({
    name: 'refusal: is user_rejected',
    needs: 'refuses',
    async play(stage, expectations) {
      await fails(stage, expectations, stage.connect(), userRejected.code)
      const loud = stage.events.filter(({ name, payload }) => name === 'log' && Object(payload).level === 'error')
      demand(!loud.length, 'a user’s own refusal must not be logged as an error')
    },
  }),
  check({
    name: 'late answer: changes nothing after a cancel',
    needs: 'is-away',
    async play(stage, expectations) {
      const control = new AbortController()
      const attempt = stage.connect(control.signal)
      await stage.clock.advance(1)
      control.abort()
      await fails(stage, expectations, attempt, aborted.code)
      await stage.scene.comesBack?.()
      await stage.clock.advance(1000)
      demand(!stage.isIn, 'a response after the cancel must connect nothing')
    },
  }),
  check({
    name: 'errors: serialisable, and with no secret',
    needs: 'refuses',
    async play(stage, expectations) {
      const error = await rejection(stage.connect(), 'a refused connect must be rejected', expectations)
      const text = asText(error)
      demand(text !== undefined && isKeybayError(JSON.parse(text)), 'an error must survive JSON')
      demand(redact(text) === text, 'an error must hold nothing that looks like a key or a token')
      const causes = new Set<unknown>() // Causes may be cyclic.
      for (let cause = getCause(error); cause !== undefined && !causes.has(cause); cause = getCause(cause))
        causes.add(cause)
      const inCauses = [...causes].map(cause => ({
        where: 'the cause of the error',
        text: `${cause} ${asText(cause)}`,
      }))
      demandNoSecret([{ where: 'the error', text }, ...inCauses, ...lookAround(stage)], expectations)
    },
  }),
  check({
    name: 'secrets: none in a log, an event, the page, its storage, an address or another tab',
    async play(stage, expectations) {
      await connected(stage, expectations)
      await settle()
      demandNoSecret(lookAround(stage), expectations)
    },
  }),
]
