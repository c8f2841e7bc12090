/** The flow, loaded with the first click: visits the provider in a window or by leaving the page, and hands its response to the API. */
import type { CallOptions, Entrance } from '@keybay/account'
import type { ConnectContext, Credential, Kernel, ResumeContext } from '@keybay/kernel'
import {
  aborted,
  generalError,
  invalidProvider,
  isKeybayError,
  type KeybayError,
  noAccountLinked,
  noProvider,
  oauthWindowBlocked,
  redirectUnexpected,
  unlinkError,
} from '@keybay/kernel/spec'
import { cleanAddress, readRecordId, withoutMark } from './address.js'
import type { SocialInput, SocialMode } from './api.js'
import { askFirst, whileOpen } from './ask.js'
import { checkAnswer, stateMismatch } from './check-answer.js'
import { createFail, type Fail } from './fail.js'
import type { SocialProviderDefinition } from './provider.js'
import { type FlowRecord, isAway, readRecord, saveRecord, sweepRecords } from './records.js'
import { createKey, deriveSecrets, type FlowSecrets, hashSecrets } from './secrets.js'
import type { SharedSocial } from './shared.js'
import type { SocialFlow } from './steps.js'
import { awaitAnswer } from './window.js'
import { beginFlow, finishFlow } from './wire.js'

type Social = Kernel<'account'>

interface StartedFlow extends SocialFlow {
  readonly provider: SocialProviderDefinition
  readonly ctx: ConnectContext
  readonly fail: Fail
  readonly entrance: Entrance
  readonly secrets: FlowSecrets
  /** Id of the record; the provider returns it as `state`. */
  readonly stateHash: string
  readonly record: Omit<FlowRecord, 'mode'>
}

const REDIRECT_URL = '/auth/social'
const WINDOW_TIMEOUT_MS = 300_000
/** Error codes of `unlink` that explain themselves; others become the cause of `unlink_error`. */
const CLEAR_CODES = ['session_missing', 'mfa_required', 'user_rejected', 'user_cancelled', 'aborted']

export class Engine {
  readonly #kernel: Social
  readonly #shared: SharedSocial
  /** Closes the open window, because another attempt takes its place. */
  #stopPrevious: ((reason: KeybayError) => void) | undefined

  constructor(kernel: Social, shared: SharedSocial) {
    this.#kernel = kernel
    this.#shared = shared
  }

  /** @param opened the window that the click opened; null: blocked; undefined: leave the page; a function: opens it later */
  async connect(
    provider: SocialProviderDefinition,
    input: SocialInput | undefined,
    ctx: ConnectContext,
    opened: unknown,
  ): Promise<Credential> {
    const fail = createFail(provider.id)
    ctx.signal.throwIfAborted()
    if (opened === null) throw fail(oauthWindowBlocked)
    const { given, visit: popup } = await askFirst(provider, input, opened, ctx, fail)
    if (popup === null) throw fail(oauthWindowBlocked)
    this.#stopPrevious?.(fail(aborted))
    const started = await this.#start(provider, given, popup ? 'popup' : 'redirect', ctx, fail)
    return popup ? this.#visitInWindow(started, popup) : leavePage(started)
  }

  async resume(provider: SocialProviderDefinition, url: URL, ctx: ResumeContext): Promise<Credential> {
    cleanAddress()
    const fail = createFail(provider.id)
    const record = await readRecord(readRecordId(url), { remove: true }).catch(() => undefined)
    if (!record?.answer || record.provider !== provider.id) {
      const isAwaited = await isAway(provider.id).catch(() => false)
      throw isAwaited ? stateMismatch(provider, fail) : fail(redirectUnexpected)
    }
    if (!ctx.attempt) throw fail(redirectUnexpected)
    const secrets = await deriveSecrets(record.key)
    const { stateHash } = await hashSecrets(secrets)
    checkAnswer(provider, record.answer, stateHash, fail)
    const entrance = await this.#kernel.plugins.account.entrance(ctx)
    return finishFlow(entrance, record.flowId, record.answer, secrets)
  }

  /** @throws KeybayError `no_provider`, `invalid_provider` */
  assertProvider(id: string): void {
    if (!id) throw createFail(id)(noProvider)
    if (!this.#shared.providers.some(provider => provider.id === id)) throw createFail(id)(invalidProvider)
  }

  async unlink(id: string, options: CallOptions = {}): Promise<void> {
    this.assertProvider(id)
    const { account } = this.#kernel.plugins
    const fail = createFail(id)
    const user = await account.user.refresh(options)
    const credential = user?.credentials.find(({ method, provider }) => method === 'oauth' && provider === id)
    if (!credential) throw fail(noAccountLinked)
    try {
      await account.unlink(credential.id, options)
    } catch (thrown) {
      throw isKeybayError(thrown) && CLEAR_CODES.includes(thrown.code) ? thrown : fail(unlinkError, thrown)
    }
  }

  get #returnUrl(): URL {
    return new URL(this.#shared.options.redirectUrl ?? REDIRECT_URL, location.href)
  }

  async #start(
    provider: SocialProviderDefinition,
    input: SocialInput,
    mode: SocialMode,
    ctx: ConnectContext,
    fail: Fail,
  ): Promise<StartedFlow> {
    const { clock, plugins } = this.#kernel
    const { id } = provider
    const key = await createKey()
    const secrets = await deriveSecrets(key)
    const hashes = await hashSecrets(secrets)
    const redirectUrl = `${this.#returnUrl.href.replace(/\/$/, '')}/${id}`
    const entrance = await plugins.account.entrance(ctx)
    const flow = await beginFlow(entrance, provider, { hashes, redirectUrl, mode, given: input, fail })
    const startedAt = clock.now()
    // Records that cannot be read cannot be old.
    await sweepRecords(startedAt).catch(() => {})
    const record = { provider: id, flowId: flow.flowId, home: withoutMark(location.href), key, startedAt }
    return { ...flow, provider, ctx, fail, entrance, secrets, stateHash: hashes.stateHash, record }
  }

  async #visitInWindow(started: StartedFlow, popup: Window): Promise<Credential> {
    const { provider, ctx, fail, stateHash, record, flowId, authorizationUrl, entrance, secrets } = started
    const { clock } = this.#kernel
    const { windowTimeout = WINDOW_TIMEOUT_MS, opener = true } = this.#shared.options
    // Without a record the return page still knows its opener.
    const isSaved = await saveRecord(stateHash, { ...record, mode: 'popup' }).then(
      () => true,
      cause => ctx.log.debug('social', cause),
    )
    const wait = () => {
      if (isSaved && !opener) popup.opener = null
      popup.location.replace(authorizationUrl)
      return awaitAnswer({
        popup,
        provider: provider.id,
        flowId,
        origin: this.#returnUrl.origin,
        timeout: windowTimeout,
        clock,
        signal: ctx.signal,
        fail,
        onStop: stop => {
          this.#stopPrevious = stop
        },
      })
    }
    try {
      const answer = await whileOpen(this.#kernel, provider, ctx, popup, wait)
      checkAnswer(provider, answer, stateHash, fail)
      return await finishFlow(entrance, flowId, answer, secrets)
    } finally {
      await readRecord(stateHash, { remove: true }).catch(() => {})
    }
  }
}

async function leavePage({
  provider,
  ctx,
  fail,
  stateHash,
  record,
  flowId,
  authorizationUrl,
}: StartedFlow): Promise<never> {
  const { signal } = ctx
  await saveRecord(stateHash, { ...record, mode: 'redirect' }).catch(cause => {
    throw fail(generalError, cause) // no page could use the response
  })
  signal.throwIfAborted()
  const steps = await provider.steps?.()
  // To the fragment: the attempt is stored, and the page stays until the provider's script leaves it.
  const leave = (url = '#') => ctx.redirect(url, stateHash)
  return steps?.visit ? steps.visit({ flowId, authorizationUrl }, { signal, leave, fail }) : leave(authorizationUrl)
}
