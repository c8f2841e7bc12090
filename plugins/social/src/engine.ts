/** The flow, as it loads with the first click: a visit to the provider, by window or by leaving the page, and what it brings back. */
import type { CallOptions } from '@keybay/account'
import type { ConnectContext, Credential, Kernel, KeybayError, ResumeContext } from '@keybay/kernel'
import {
  generalError,
  noAuthCode,
  oauthError,
  oauthStateMismatch,
  oauthWindowBlocked,
  sessionTimeout,
  telegramStateMismatch,
} from '@keybay/kernel/spec'
import { cleanAddress, homeOf, recordOf } from './address.js'
import type { Answer } from './answer.js'
import type { SocialInput } from './api.js'
import { askFirst, whileOpen } from './ask.js'
import { createFail, type Fail, type KernelErrors } from './faults.js'
import type { SocialOptions } from './plugin.js'
import type { SocialProvider } from './provider.js'
import { type FlowRecord, OLDEST_MS, recordIdOf, saveRecord, takeRecord } from './records.js'
import { type FlowSecrets, newKey, secretsOf } from './secrets.js'
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

/** The words of OAuth and of some providers for a person who said no. */
const DENIED = /^(access_denied|user_(denied|cancel\w*)|consent_required|login_cancel\w*)$/i
/** By the specification's name of the enumeration of wallet errors: USER_REJECTED. */
const USER_REJECTED = 2
/** How long a provider's own words may be, characters. */
const LONGEST_ERROR = 200
const WINDOW_MS = 300_000

const createEngine = (
  kernel: Social,
  providers: readonly SocialProvider[],
  { redirectUrl = '/auth/social', windowTimeout = WINDOW_MS }: SocialOptions,
  errors: KernelErrors,
): Engine => {
  const { clock, plugins } = kernel
  const { account } = plugins
  const [, , aborted, redirectUnexpected] = errors
  /** The window that is open: another attempt takes its place. */
  let stopOther: ((reason: KeybayError) => void) | undefined

  /** @throws KeybayError for anything but a code that answers this very flow */
  const assertAnswer = ({ state, error, code, type }: Answer, secrets: FlowSecrets, fail: Fail) => {
    if (state !== secrets.state) throw fail(type === 'telegram_completed' ? telegramStateMismatch : oauthStateMismatch)
    if (error !== undefined) {
      const said = error.slice(0, LONGEST_ERROR)
      throw fail({ ...oauthError, ...(DENIED.test(said) && { walletCode: USER_REJECTED }) }, undefined, { error: said })
    }
    if (!code) throw fail(noAuthCode)
  }
  const credentialOf = async (
    { id }: SocialProvider,
    ctx: ConnectContext,
    { flowId }: Pick<FlowRecord, 'flowId'>,
    answer: Answer,
    secrets: FlowSecrets,
  ): Promise<Credential> => ({
    method: 'oauth',
    provider: id,
    proof: await finishFlow(await account.entrance(ctx), flowId, answer, secrets),
  })

  return {
    async connect(provider, input, ctx, opened) {
      const { id, steps } = provider
      const { signal } = ctx
      const fail = createFail(errors, id)
      signal.throwIfAborted()
      if (opened === null) throw fail(oauthWindowBlocked)
      const { given, visit: popup } = await askFirst(provider, input, opened, ctx, fail)
      if (popup === null) throw fail(oauthWindowBlocked)
      const origin = new URL(redirectUrl, location.href)
      const redirectUri = `${origin.href.replace(/\/$/, '')}/${id}`
      const key = await newKey()
      const secrets = await secretsOf(key)
      const entrance = await account.entrance(ctx)
      const flow = await beginFlow(entrance, provider, secrets, { redirectUri, given, fail })
      const { flowId, authorizationUrl } = flow
      const recordId = await recordIdOf(secrets.state)
      const save = (visit: FlowRecord['mode']) =>
        saveRecord(
          recordId,
          { provider: id, flowId, mode: visit, home: homeOf(location.href), key, startedAt: clock.now() },
          clock.now(),
        )
      if (!popup) {
        await save('page').catch(cause => {
          throw fail(generalError, cause)
        })
        signal.throwIfAborted()
        const own = (await steps?.())?.steps.visit
        const leave = (url?: string) => ctx.redirect(url ?? '#')
        return own ? own(flow, { signal, leave, fail }) : leave(authorizationUrl)
      }
      // Without a record the return page still knows its opener.
      await save('window').catch(cause => ctx.log.debug('social', cause))
      stopOther?.(fail(aborted))
      try {
        const answer = await whileOpen(kernel, provider, ctx, popup, () => {
          popup.location.replace(authorizationUrl)
          return awaitAnswer({
            popup,
            provider: id,
            flowId,
            origin: origin.origin,
            timeout: windowTimeout,
            clock,
            signal,
            fail,
            onStop(stop) {
              stopOther = stop
            },
          })
        })
        assertAnswer(answer, secrets, fail)
        return await credentialOf(provider, ctx, flow, answer, secrets)
      } finally {
        await takeRecord(recordId).catch(() => {})
      }
    },
    async resume(provider, url, ctx) {
      cleanAddress()
      const fail = createFail(errors, provider.id)
      const record = await takeRecord(recordOf(url)).catch(() => undefined)
      if (!ctx.attempt) throw fail(redirectUnexpected)
      if (!record?.answer || record.provider !== provider.id)
        throw fail(provider.id === 'telegram' ? telegramStateMismatch : oauthStateMismatch)
      if (clock.now() - record.startedAt > OLDEST_MS) throw fail(sessionTimeout)
      const secrets = await secretsOf(record.key)
      assertAnswer(record.answer, secrets, fail)
      return credentialOf(provider, ctx, record, record.answer, secrets)
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
export const engineOf = (
  kernel: Social,
  providers: readonly SocialProvider[],
  options: SocialOptions,
  errors: KernelErrors,
): Engine => {
  const engine = engines.get(kernel) ?? createEngine(kernel, providers, options, errors)
  engines.set(kernel, engine)
  return engine
}
