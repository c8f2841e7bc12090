/** Prompts for what comes from elsewhere: a private key, and the other device that adds this one. */
import { element, field, paragraph } from './dom.js'
import { type About, walletLine } from './questions.js'
import type { Screen } from './screen.js'

/**
 * Prompts the user for a private key, typed or pasted here so that the page never has it.
 * @param read throws for an invalid key; the prompt then stays open
 */
export function askKey(screen: Screen, read: (text: string) => Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
  const { row, input } = field(
    'Private key',
    { type: 'password', autocomplete: 'off', spellcheck: 'false', required: true },
    'As base58, or as the list of numbers of a Solana key file.',
  )
  return screen.ask({
    title: 'Import a key',
    content: [
      paragraph(
        'This window splits the key into shares and never stores it whole. Anyone else who has the key can still use it.',
      ),
      row,
    ],
    action: 'Import',
    signal,
    read() {
      if (input.value.trim() === '') throw new Error('Enter the key.')
      const seed = read(input.value)
      input.value = ''
      return seed
    },
  })
}

/** Shows the code on the new device until the other device has agreed. */
export function waitForOtherDevice<T>(
  screen: Screen,
  {
    address,
    code,
    until,
    signal,
  }: About & { readonly code: string; readonly until: (signal: AbortSignal) => Promise<T> },
): Promise<T> {
  return screen.ask<T>({
    title: 'Add this device',
    content: [
      walletLine(address),
      paragraph(
        'On a device that has this wallet, choose to add a device. Enter there the two groups of this code that it asks for:',
      ),
      element('pre', { class: 'code', tabindex: '0' }, code),
      element('p', { class: 'note', role: 'status' }, 'Waiting for the other device…'),
    ],
    action: '',
    only: 'cancel',
    signal,
    until,
    read() {
      throw new Error('The other device has not agreed yet.')
    },
  })
}
