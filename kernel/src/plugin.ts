/** The plugin interface. Its types reach `keybay.<plugin>` with no cast and no code generation. */
import type { Connector } from './connector.js'
import type { Kernel } from './kernel.js'

/** With `string` instead of `never` as defaults, `requires` would accept anything. */
export interface Plugin<Id extends string, Api = undefined, C extends Connector = never, R extends string = never> {
  readonly id: Id
  /** The plugin's version. */
  readonly version: string
  /** True for Keybay's packages: they are released together, so a difference is reported (S8.6). */
  readonly kit?: boolean
  readonly requires?: readonly R[]
  // Method syntax on purpose: bivariance lets Plugin<'x', …, 'account'> be an AnyPlugin.
  setup(kernel: Kernel<R>): Setup<Api, C>
}
export type AnyPlugin = Plugin<string, unknown, Connector, string>

/** The result of `setup`. */
export interface Setup<Api = undefined, C extends Connector = never> {
  /** Becomes `keybay.<id>`. */
  readonly api?: Api
  /** The connectors that are known before the start; also what a server renders. */
  readonly connectors?: readonly C[]
}

/**
 * Identity function; it exists for inference. Write `requires` before `setup`, and give a factory its full return type.
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
>(plugin: {
  readonly id: Id
  readonly version: string
  readonly kit?: boolean
  readonly requires?: readonly R[]
  setup(kernel: Kernel<R>): Setup<Api, C>
  // NoInfer on C and R: an inline plugin would absorb the constraint. Not on Api: its parameters would become `any`.
}): Plugin<Id, Api, NoInfer<C>, NoInfer<R>> {
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
type IdOf<P> = P extends Plugin<infer Id, infer _A, infer _C, infer _R> ? Id : never
type RequiresOf<P> = P extends { readonly requires?: readonly (infer R extends string)[] } ? R : never

/** Maps each plugin to itself, or to the sentence that the compiler prints for a mistake. */
export type CheckPlugins<P extends readonly AnyPlugin[]> = {
  readonly [K in keyof P]: string extends IdOf<P[K]>
    ? P[K]
    : IdOf<P[K]> extends Reserved
      ? `keybay: plugin id '${IdOf<P[K]>}' is reserved`
      : [Exclude<RequiresOf<P[K]>, IdOf<P[number]>>] extends [never]
        ? P[K]
        : `keybay: plugin '${IdOf<P[K]>}' requires plugin '${Exclude<RequiresOf<P[K]>, IdOf<P[number]>>}': add it to plugins`
}
export type ConnectorOf<P extends AnyPlugin> = P extends Plugin<infer _I, infer _A, infer C, infer _R> ? C : never
export type ApisOf<P extends AnyPlugin> = {
  readonly [T in P as T extends Plugin<infer Id, infer A, infer _C, infer _R>
    ? unknown extends A
      ? never
      : [A] extends [undefined]
        ? never
        : Id
    : never]: T extends Plugin<infer _I, infer A, infer _C, infer _R> ? A : never
}
