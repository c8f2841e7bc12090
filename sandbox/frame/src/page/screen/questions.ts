/** Prompts for the user, one function each. */
import type { Action } from './action.js'
import { type Child, element, field } from './dom.js'
import type { Screen } from './screen.js'

export interface FactorFields {
  readonly rows: readonly Child[]
  /**
   * Verifies the input and returns an MFA token. Returns undefined if the user confirms on the page.
   * @throws Error that explains the problem; the prompt then stays open
   */
  read(): Promise<string | undefined>
}

/** Wallet that a prompt is about. */
export interface About {
  readonly address: string
  /** Fields of a second factor, if the consent needs one. */
  readonly factor?: FactorFields | undefined
  readonly signal?: AbortSignal | undefined
}

function list(lines: Action['lines']): HTMLElement {
  return element(
    'dl',
    {},
    ...lines.flatMap(({ label, value, address }) => [
      element('dt', {}, label),
      element('dd', address ? { class: 'address' } : {}, value),
    ]),
  )
}

export function walletLine(address: string): HTMLElement {
  return list([{ label: 'Wallet', value: address, address: true }])
}

export function actionCard({ title, lines, unclear }: Action): HTMLElement {
  return element('section', { class: unclear ? 'card unclear' : 'card' }, element('h2', {}, title), list(lines))
}

/** Consent of the user: an MFA token if a second factor was needed. */
export type Agreed = Promise<string | undefined>

interface Plain {
  readonly title: string
  readonly sentences: readonly string[]
  /** Warnings to show. */
  readonly problems?: readonly string[]
  readonly action: string
}
/** Asks the user to agree to any other action of a wallet, in plain sentences. */
export function agreeTo(
  screen: Screen,
  { title, sentences, problems = [], action }: Plain,
  { address, signal, factor }: About,
): Agreed {
  return screen.ask({
    title,
    content: [
      walletLine(address),
      ...sentences.map(sentence => element('p', {}, sentence)),
      ...problems.map(problem => element('p', { class: 'problem' }, problem)),
      ...(factor?.rows ?? []),
    ],
    action,
    guard: { address },
    signal,
    read: async () => factor?.read(),
  })
}

export interface FileQuestion<T> {
  readonly sentence: string
  /** Downloads the file again, if it was downloaded just now. */
  readonly again?: (() => Promise<void>) | undefined
  /** @throws Error that explains the problem */
  readonly check: (file: Uint8Array) => Promise<T>
  readonly signal?: AbortSignal | undefined
}
const LARGEST_FILE = 65_536

/** Prompts the user for a file. Resolves with the result of `check` once a file passes. */
export function askFile<T>(screen: Screen, { sentence, again, check, signal }: FileQuestion<T>): Promise<T> {
  const { row, input } = field('Backup file', { type: 'file', required: true })
  const retry = element('button', { type: 'button', class: 'quiet' }, 'Download it again')
  const note = element('p', { class: 'note', role: 'status' })
  retry.addEventListener('click', () => {
    again?.().catch((error: unknown) => {
      note.textContent = error instanceof Error ? error.message : String(error)
    })
  })
  return screen.ask({
    title: 'Choose the backup file',
    content: [element('p', {}, sentence), row, again && element('p', {}, retry), note],
    action: 'Check the file',
    signal,
    async read() {
      const [file] = input.files ?? []
      if (!file) throw new Error('Choose the file first.')
      if (file.size > LARGEST_FILE) throw new Error('This isn’t a backup file.')
      return check(new Uint8Array(await file.arrayBuffer()))
    },
  })
}

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
      element(
        'p',
        {},
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
      element('p', {}, 'On a device that has this wallet, choose to add a device. It has to show this code:'),
      element('pre', { class: 'code', tabindex: '0' }, code),
    ],
    action: 'Waiting for the other device',
    signal,
    until,
    read() {
      throw new Error('The other device has not agreed yet.')
    },
  })
}
