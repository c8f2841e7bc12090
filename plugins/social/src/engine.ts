/** The flow, as it loads with the first click: a visit to the provider, by window or by leaving the page, and what it brings back. */
import type { CallOptions } from '@keybay/account'
import type { ConnectContext, Credential, Kernel, KeybayError, ResumeContext } from '@keybay/kernel'
import { generalError, oauthWindowBlocked } from '@keybay/kernel/spec'
import { cleanAddress, homeOf, recordOf } from './address.js'
import type { SocialInput } from './api.js'
import { askFirst, whileOpen } from './ask.js'
import { checkAnswer, stateMismatch } from './check-answer.js'
import { createFail, type KernelErrors } from './faults.js'
import type { SocialOptions } from './plugin.js'
import type { SocialProvider } from './provider.js'
import { isAway, saveRecord, sweepRecords, takeRecord } from './records.js'
import { hashesOf, newKey, secretsOf } from './secrets.js'
import { assertProvider, unlink } from './unlink.js'
import { awaitAnswer } from './window.js'
import { beginFlow, finishFlow } from './wire.js'

/** The lazy half of the plugin. */
export interface Engine {
  /** @param opened the window that the click opened; null: blocked; undefined: the page is to be left; a function: not yet */
  connect(
    provider: SocialProvider,
    input: SocialInput | undefined,
    ctx: ConnectContext,
    opened: unknown,
  ): Promise<Credential>
  resume(provider: SocialProvider, url: URL, ctx: ResumeContext): Promise<Credential>
  unlink(provider: string, options?: CallOptions): Promise<void>
  /** Says what is wrong with a provider that is no connector. */
  refuse(provider: string): Promise<never>
}
type Social = Kernel<'account'>

const REDIRECT_URL = '/auth/social'
const WINDOW_MS = 300_000

function createEngine(
  kernel: Social,
  providers: readonly SocialProvider[],
  { redirectUrl = REDIRECT_URL, windowTimeout = WINDOW_MS }: SocialOptions,
  errors: KernelErrors,
): Engine {
  const { clock, plugins } = kernel
  const { account } = plugins
  const [, aborted, redirectUnexpected] = errors
  /** The window that is open: another attempt takes its place. */
  let stopOther: ((reason: KeybayError) => void) | undefined

  return {
    async connect(provider, input, ctx, opened) {
      const { id, steps } = provider
      const { signal } = ctx
      const fail = createFail(errors, id)
      signal.throwIfAborted()
      if (opened === null) throw fail(oauthWindowBlocked)
      const { given, visit: popup } = await askFirst(provider, input, opened, ctx, fail)
      if (popup === null) throw fail(oauthWindowBlocked)
      stopOther?.(fail(aborted))
      const key = await newKey()
      const secrets = await secretsOf(key)
      const hashes = await hashesOf(secrets)
      const back = new URL(redirectUrl, location.href)
      const entrance = await account.entrance(ctx)
      const flow = await beginFlow(entrance, provider, {
        hashes,
        redirectUrl: `${back.href.replace(/\/$/, '')}/${id}`,
        mode: popup ? 'popup' : 'redirect',
        given,
        fail,
      })
      const { flowId, authorizationUrl } = flow
      const { stateHash } = hashes
      const startedAt = clock.now()
      const record = { provider: id, flowId, home: homeOf(location.href), key, startedAt }
      await sweepRecords(startedAt).catch(() => {}) // what cannot be read cannot be old
      if (!popup) {
        await saveRecord(stateHash, { ...record, mode: 'redirect' }).catch(cause => {
          throw fail(generalError, cause) // nobody would know the answer
        })
        signal.throwIfAborted()
        const own = (await steps?.())?.steps.visit
        // To the fragment: the attempt is stored, and the page stays until the provider's script leaves it.
        const leave = (url = '#') => ctx.redirect(url, stateHash)
        return own ? own(flow, { signal, leave, fail }) : leave(authorizationUrl)
      }
      // Without a record the return page still knows its opener.
      await saveRecord(stateHash, { ...record, mode: 'popup' }).catch(cause => ctx.log.debug('social', cause))
      try {
        const answer = await whileOpen(kernel, provider, ctx, popup, () => {
          popup.location.replace(authorizationUrl)
          return awaitAnswer({
            popup,
            provider: id,
            flowId,
            origin: back.origin,
            timeout: windowTimeout,
            clock,
            signal,
            fail,
            onStop(stop) {
              stopOther = stop
            },
          })
        })
        checkAnswer(provider, answer, stateHash, fail)
        return { method: 'oauth', provider: id, proof: await finishFlow(entrance, flowId, answer, secrets) }
      } finally {
        await takeRecord(stateHash).catch(() => {})
      }
    },
    async resume(provider, url, ctx) {
      cleanAddress()
      const { id } = provider
      const fail = createFail(errors, id)
      const record = await takeRecord(recordOf(url)).catch(() => undefined)
      if (!record?.answer || record.provider !== id)
        throw (await isAway(id).catch(() => false)) ? stateMismatch(provider, fail) : fail(redirectUnexpected)
      if (!ctx.attempt) throw fail(redirectUnexpected)
      const secrets = await secretsOf(record.key)
      const { stateHash } = await hashesOf(secrets)
      checkAnswer(provider, record.answer, stateHash, fail)
      const entrance = await account.entrance(ctx)
      return { method: 'oauth', provider: id, proof: await finishFlow(entrance, record.flowId, record.answer, secrets) }
    },
    async refuse(id) {
      const fail = createFail(errors, id)
      assertProvider(providers, id, fail)
      throw fail(generalError)
    },
    async unlink(id, options) {
      const fail = createFail(errors, id)
      assertProvider(providers, id, fail)
      await unlink(account, id, fail, options)
    },
  }
}

const engines = new WeakMap<Social, Engine>()
/** The one engine of an instance, kept here because every byte of the plugin's own file is in the page's first chunk. */
export function engineOf(
  kernel: Social,
  providers: readonly SocialProvider[],
  options: SocialOptions,
  errors: KernelErrors,
): Engine {
  const engine = engines.get(kernel) ?? createEngine(kernel, providers, options, errors)
  engines.set(kernel, engine)
  return engine
}
