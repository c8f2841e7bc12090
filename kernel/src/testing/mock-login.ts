/** Mock login that a test controls. */
import type { Credential, LoginConnector, LoginMethod } from '../connector.js'
import { definePlugin, type Plugin } from '../plugin.js'
import type { Clock } from '../spec/clock.js'
import { VERSION } from '../version.js'
import { lockedError, REFUSALS, type RefusalStyle } from './refusals.js'

/** Faults of the login, effective once set. */
export type LoginFault =
  /** Does not respond until `release()`, and ignores cancellation. */
  | 'never-answers'
  | `refuses-like-${RefusalStyle}`
  | 'locked'
  /** Resolves with a value that is not a credential. */
  | 'answers-nonsense'
  /** Throws at once instead of returning a promise. */
  | 'throws'

export interface MockLoginOptions {
  /** Default `mock-login`. */
  readonly id?: string
  readonly method?: LoginMethod
  readonly provider?: string
  /** Prompts the user to choose one of these first. */
  readonly choices?: readonly string[]
  /** With `clock`: duration of the response, in ms. */
  readonly delay?: number
  readonly clock?: Clock
  readonly fault?: LoginFault
}
export interface MockLogin {
  readonly connector: LoginConnector
  /** `createKeybay({ appName: 'Test', plugins: [mockLogin().plugin] })` */
  readonly plugin: Plugin<string, undefined, LoginConnector>
  /** May be changed at any time. */
  fault: LoginFault | undefined
  /** Input of each `connect`. */
  readonly inputs: readonly unknown[]
  /** Settles the calls that `never-answers` delayed, and waits for them. */
  release(): Promise<void>
}
const ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA4IDgiPjxwYXRoIGQ9Ik0wIDBoOHY4SDB6IiBmaWxsPSIjNjM2MCIvPjwvc3ZnPg=='

/**
 * @example
 * const mock = mockLogin({ choices: ['work', 'home'] })
 * const keybay = createKeybay({ appName: 'Test', plugins: [mock.plugin, account()] })
 */
export function mockLogin(options: MockLoginOptions = {}): MockLogin {
  const { id = 'mock-login', method = 'email', provider, choices, delay = 0 } = options
  const inputs: unknown[] = []
  const running = new Set<Promise<unknown>>()
  let held: (() => void)[] = []
  const prove = async (choice?: string): Promise<Credential> => {
    const nonce = crypto.randomUUID()
    const named = provider === undefined ? {} : { provider }
    if (method === 'externalUser') return { method, ...named, proof: { token: nonce } }
    if (method === 'blockchain') return { method, ...named, proof: nonce }
    return { method, ...named, proof: { choice, nonce } }
  }
  const connector: LoginConnector = {
    kind: 'login',
    id,
    name: 'Mock login',
    icon: ICON,
    readiness: 'ready',
    method,
    ...(provider && { provider }),
    connect(input, { signal, prompt }) {
      inputs.push(input)
      const { fault } = mock
      if (fault === 'throws') throw new Error('This connector throws')
      const run = async () => {
        if (fault === 'never-answers') await new Promise<void>(resolve => held.push(resolve))
        else signal.throwIfAborted()
        if (delay) await new Promise<void>(resolve => options.clock?.after(delay, resolve))
        if (fault === 'locked') throw lockedError()
        for (const [style, refusal] of Object.entries(REFUSALS)) if (fault === `refuses-like-${style}`) throw refusal()
        const choice =
          choices &&
          (await prompt({
            type: 'choice',
            title: 'Which one?',
            options: choices.map(choice => ({ id: choice, label: choice })),
          }))
        const credential = await prove(choice)
        if (fault !== 'never-answers') signal.throwIfAborted()
        if (fault === 'answers-nonsense') Reflect.deleteProperty(credential, 'method')
        return credential
      }
      const answered = run()
      running.add(answered)
      return answered.finally(() => running.delete(answered))
    },
  }
  const mock: MockLogin = {
    connector,
    plugin: definePlugin({ id, version: VERSION, setup: () => ({ connectors: [connector] }) }),
    fault: options.fault,
    inputs,
    async release() {
      const waiting = held
      held = []
      for (const resolve of waiting) resolve()
      await Promise.allSettled(running)
    },
  }
  return mock
}
