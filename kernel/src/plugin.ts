/** Plugins, and how their types reach `keybay.<apiKey>` without a cast or code generation. */
import type { Connector } from './connector.js'
import type { Kernel } from './kernel.js'

/** The defaults of `never` matter: with `string`, `requires` would accept anything. */
export interface Plugin<
  Id extends string,
  Api = undefined,
  C extends Connector = never,
  R extends string = never,
  Key extends string = Id,
> {
  /** Unique within an instance. */
  readonly id: Id
  /** Version of the plugin's package. */
  readonly version: string
  /** Marks Keybay's own packages: they are released together, so a difference is reported (S8.6). */
  readonly kit?: boolean
  /** Ids or API keys of the plugins that this one needs. */
  readonly requires?: readonly R[]
  /** Name of the API on `keybay`. Plugins with the same key return the same API object. Default: the id. */
  readonly apiKey?: Key
  // Method syntax on purpose: bivariance lets Plugin<'x', …, 'account'> be an AnyPlugin.
  setup(kernel: Kernel<R>): Setup<Api, C>
}
export type AnyPlugin = Plugin<string, unknown, Connector, string, string>

/** Result of `setup`. */
export interface Setup<Api = undefined, C extends Connector = never> {
  /** Becomes `keybay.<apiKey>`. */
  readonly api?: Api
  /** Connectors known before the page is inspected; a server renders these. */
  readonly connectors?: readonly C[]
}

/**
 * Returns the plugin unchanged, with its types inferred. Write `requires` before `setup`, and give a factory its full return type.
 *
 * @example
 * export const acme = (o: AcmeOptions): Plugin<'acme', AcmeApi, AcmeConnector, 'account'> =>
 *   definePlugin({ id: 'acme', version: VERSION, requires: ['account'], setup(kernel) { … } })
 */
export function definePlugin<
  const Id extends string,
  Api = undefined,
  const C extends Connector = never,
  const R extends string = never,
  const Key extends string = Id,
>(plugin: {
  readonly id: Id
  readonly version: string
  readonly kit?: boolean
  readonly requires?: readonly R[]
  readonly apiKey?: Key
  setup(kernel: Kernel<R>): Setup<Api, C>
  // NoInfer on C and R: an inline plugin would absorb the constraint. Not on Api: its parameters would become `any`.
}): Plugin<Id, Api, NoInfer<C>, NoInfer<R>, NoInfer<Key>> {
  return plugin
}

type Reserved =
  | 'accounts'
  | 'attempts'
  | 'config'
  | 'connect'
  | 'connections'
  | 'connectors'
  | 'disconnect'
  | 'dispose'
  | 'on'
  | 'onAny'
  | 'prompts'
  | 'session'
type IdOf<P> = P extends Plugin<infer Id, infer _A, infer _C, infer _R, infer _K> ? Id : never
type KeyOf<P> = P extends { readonly apiKey?: infer K extends string } ? (string extends K ? IdOf<P> : K) : IdOf<P>
type RequiresOf<P> = P extends { readonly requires?: readonly (infer R extends string)[] } ? R : never
type MissingOf<P, All> = Exclude<RequiresOf<P>, IdOf<All> | KeyOf<All>>

/** Maps each plugin to itself, or to a sentence that the compiler prints. */
// `All` apart from `P`: for a spread array the compiler puts that array in the place of `P`.
export type CheckPlugins<P extends readonly AnyPlugin[], All = P[number]> = {
  readonly [K in keyof P]: string extends IdOf<P[K]>
    ? P[K]
    : KeyOf<P[K]> extends Reserved
      ? `keybay: plugin id '${KeyOf<P[K]>}' is reserved`
      : [MissingOf<P[K], All>] extends [never]
        ? P[K]
        : `keybay: plugin '${IdOf<P[K]>}' requires plugin '${MissingOf<P[K], All>}': add it to plugins`
}
export type ConnectorOf<P extends AnyPlugin> =
  P extends Plugin<infer _I, infer _A, infer C, infer _R, infer _K> ? C : never
type ApiOf<P> = P extends Plugin<infer _I, infer A, infer _C, infer _R, infer _K> ? A : never
type HasApi<P> = unknown extends ApiOf<P> ? false : [ApiOf<P>] extends [undefined] ? false : true
export type ApisOf<P extends AnyPlugin> = {
  readonly [T in P as HasApi<T> extends true ? KeyOf<T> : never]: ApiOf<T>
}
