/** Creates an app with a user in the test's page. */
import { account } from '@keybay/account'
import { type Clock, createKeybay, type Keybay } from '@keybay/kernel'
import { email } from '@keybay/one-time-code'
import { asked } from '@keybay/sandbox-api/testing/page-world'
import { turnkey } from '../src/index.js'
import type { World } from './world.js'

export interface HostOptions {
  readonly clock?: Clock
  /** URL of the custody service. */
  readonly baseUrl?: string
  readonly sessionSeconds?: number
  /** Origin of the export window. */
  readonly frameHost?: string
}

function plugins(world: World, { baseUrl = world.custodyUrl, sessionSeconds, frameHost }: HostOptions) {
  return [account(), email(), turnkey({ baseUrl, sessionSeconds, frameHost })] as const
}
export type Host = Keybay<ReturnType<typeof plugins>[number]>

export function createHost(world: World, options: HostOptions = {}): Host {
  return createKeybay({
    appName: 'Test',
    environmentId: 'local',
    baseApiUrl: world.url,
    logLevel: 'silent',
    plugins: plugins(world, options),
    ...(options.clock && { clock: options.clock }),
  })
}

let people = 0
/** @param after the message before the one with the code */
export async function signIn(
  world: World,
  keybay: Host,
  address = `person-${++people}@example.com`,
  after?: string,
): Promise<string> {
  const signedIn = keybay.connect('email', { email: address })
  const prompt = await asked(keybay, 'one-time-code')
  const { text } = await world.mailTo(address, after)
  prompt.answer(await prompt.submit(/\b(\d{6})\b/.exec(text)?.[1] ?? ''))
  await signedIn
  return address
}

export function text(value: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(value)
}

export function accountOn(keybay: Host, chain: string) {
  const found = keybay.connectors
    .get('turnkey')
    .wallet.accounts.find(account => account.chains.some(c => c.startsWith(chain)))
  if (!found) throw new Error(`No account on ${chain}`)
  return found
}

export function sign(keybay: Host, ...messages: string[]) {
  return keybay.connectors
    .get('turnkey')
    .wallet.features['solana:signMessage'].signMessage(
      ...messages.map(message => ({ account: accountOn(keybay, 'solana:'), message: text(message) })),
    )
}

/** Returns the code in a recovery email. */
export function codeIn(mail: string): string {
  return /^[1-9A-HJ-NP-Za-km-z]{80,}$/m.exec(mail)?.[0] ?? ''
}
