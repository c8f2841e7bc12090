/** Types that the hooks infer once the host has registered its instance. Compiled alone by `types.test.ts`; nothing here runs. */
import {
  type Connection,
  createKeybay,
  definePlugin,
  type LoginConnector,
  type Plugin,
  type SessionState,
  type WalletConnector,
} from '@keybay/kernel'
import { KeybayProvider, useAction, useConnect, useKeybay, useSignMessage } from '@keybay/react'
import type { PromptViews } from '@keybay/react/ui'
import type { ReactNode } from 'react'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

function holds<_ extends true>(): void {}

declare const wallet: WalletConnector<'acme'>
declare const login: LoginConnector<'acme:login'>

function acme(): Plugin<'acme', { sweep(to: string): Promise<number> }, typeof wallet | typeof login> {
  return definePlugin({
    id: 'acme',
    version: '0.1.0',
    setup: () => ({ api: { sweep: async to => to.length }, connectors: [wallet, login] }),
  })
}
const keybay = createKeybay({ appName: 'Types', plugins: [acme()] })
declare module '@keybay/kernel' {
  interface Register {
    keybay: typeof keybay
  }
  interface KeybayPrompts {
    code: { readonly ask: { readonly length: number }; readonly answer: string }
  }
}

export function Page(): ReactNode {
  const hookKeybay = useKeybay()
  holds<Same<typeof hookKeybay, typeof keybay>>()
  holds<Same<ReturnType<typeof hookKeybay.acme.sweep>, Promise<number>>>()
  // @ts-expect-error no plugin of this name
  void hookKeybay.other
  const { run, runAsync } = useConnect()
  run('acme')
  run('found:at-run-time', { any: 'input' })
  // @ts-expect-error an id is a string
  run(1)
  const opened = runAsync('acme')
  holds<Same<typeof opened, Promise<Connection>>>()
  const signedIn = runAsync('acme:login', undefined, { signal: AbortSignal.timeout(1) })
  holds<Same<typeof signedIn, Promise<SessionState>>>()
  const either = runAsync('found:at-run-time')
  holds<Same<typeof either, Promise<Connection | SessionState>>>()

  const sweep = useAction((_signal, to: string) => hookKeybay.acme.sweep(to))
  sweep.run('x')
  // @ts-expect-error a string is asked for
  sweep.run(1)
  if (sweep.status === 'success') holds<Same<typeof sweep.data, number>>()
  if (sweep.status === 'error') sweep.error.code.toUpperCase()
  if (sweep.status === 'idle') holds<Same<typeof sweep.data, undefined>>()
  const sign = useSignMessage()
  // @ts-expect-error a message is text or bytes
  sign.run({ message: 1 })
  return <KeybayProvider keybay={keybay} />
}

export const views: PromptViews = {
  code: ({ prompt }) => {
    holds<Same<typeof prompt.length, number>>()
    // @ts-expect-error the answer is text
    prompt.answer(1)
    return null
  },
}
const stranger = createKeybay({ appName: 'Other', plugins: [] })

export function Wrong(): ReactNode {
  // @ts-expect-error useKeybay would promise what this instance does not have
  return <KeybayProvider keybay={stranger} />
}
