/** Screens for the user's consent before a Solana account signs. */
import type { Transaction } from '@keybay/waas/relay-client'
import { element } from '../../screen/dom.js'
import { type About, type Agreed, actionCard, walletLine } from '../../screen/questions.js'
import type { Screen } from '../../screen/screen.js'
import { describeTransaction } from './describe.js'

/** @param reason the relay's rule in words, where it is why the user is asked */
export function agreeToTransaction(
  screen: Screen,
  { parsed }: Transaction,
  { address, signal, factor, reason }: About & { readonly reason?: string | undefined },
): Agreed {
  const actions = describeTransaction(parsed)
  const unclear = actions.some(action => action.unclear) || parsed.usesLookupTables
  return screen.ask({
    title: 'Sign this transaction?',
    content: [
      walletLine(address),
      reason === undefined ? undefined : element('p', { class: 'note' }, `You are asked because of a rule. ${reason}`),
      ...actions.map(actionCard),
      unclear
        ? element('p', { class: 'problem' }, 'Part of it can’t be read here. Sign only if you trust the app.')
        : undefined,
      ...(factor?.rows ?? []),
    ],
    action: 'Sign',
    guard: { address },
    signal,
    read: async () => factor?.read(),
  })
}

export function agreeToMessage(screen: Screen, text: string, { address, signal, factor }: About): Agreed {
  return screen.ask({
    title: 'Sign this message?',
    content: [walletLine(address), element('pre', { tabindex: '0' }, text), ...(factor?.rows ?? [])],
    action: 'Sign',
    guard: { address },
    signal,
    read: async () => factor?.read(),
  })
}

/** @param hash 64 hexadecimal characters */
export function agreeToRawMessage(screen: Screen, hash: string, { address, signal, factor }: About): Agreed {
  return screen.ask({
    title: 'Sign 32 unreadable bytes?',
    content: [
      walletLine(address),
      element('pre', { tabindex: '0' }, hash),
      element('p', { class: 'problem' }, 'They may be the hash of anything. Sign only if you trust the app.'),
      ...(factor?.rows ?? []),
    ],
    action: 'Sign',
    guard: { address },
    signal,
    read: async () => factor?.read(),
  })
}
