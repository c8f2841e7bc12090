/** Prompts for the user, one function each. */
import { type Child, element, field, paragraph } from './dom.js'
import { explain } from './explain.js'
import type { Screen } from './screen.js'

export interface Line {
  readonly label: string
  readonly value: string
  /** True for an address, which is shown whole and unbroken. */
  readonly address?: boolean
  /** True for the amount that the user checks first. */
  readonly large?: boolean
  /** For an address that receives: whether this wallet itself sends it an amount. */
  readonly recipient?: 'paid' | 'unpaid'
}
export const FIRST_TIME: Line = { label: 'Recipient', value: 'First time you send here' }
/** Part of a decoded transaction or message. */
export interface Action {
  readonly title: string
  readonly lines: readonly Line[]
  /** True if the action may do more than its bytes show. */
  readonly unclear?: boolean
}

export interface FactorFields {
  readonly rows: readonly Child[]
  /**
   * Verifies the input and returns an MFA token. Returns undefined if the user confirms on the page.
   * @throws Error that explains the problem; the prompt then stays open
   */
  read(): Promise<string | undefined>
}

export interface About {
  readonly address: string
  readonly factor?: FactorFields | undefined
  readonly signal?: AbortSignal | undefined
}

export function lineList(lines: Action['lines']): HTMLElement {
  return element(
    'dl',
    {},
    ...lines.flatMap(({ label, value, address, large }) => [
      element('dt', {}, label),
      element('dd', { class: address ? 'address' : large ? 'large' : undefined }, value),
    ]),
  )
}

export function walletLine(address: string): HTMLElement {
  return lineList([{ label: 'Wallet', value: address, address: true }])
}

function actionCard({ title, lines, unclear }: Action): HTMLElement {
  return element('section', { class: unclear ? 'card unclear' : 'card' }, element('h2', {}, title), lineList(lines))
}

/** Consent of the user: an MFA token if a second factor was needed. */
export type Agreed = Promise<string | undefined>

interface Consent {
  readonly title: string
  readonly content: readonly Child[]
  readonly action: string
  /** Checks what the user entered. @throws Error that says what to correct; the prompt then stays open */
  readonly check?: () => void
}
export function agree(
  screen: Screen,
  { title, content, action, check }: Consent,
  { address, factor, signal }: About,
): Agreed {
  return screen.ask({
    title,
    content: [walletLine(address), ...content, ...(factor?.rows ?? [])],
    action,
    guard: { address },
    signal,
    async read() {
      check?.()
      return factor?.read()
    },
  })
}

export interface Plain {
  readonly title: string
  readonly sentences: readonly string[]
  readonly problems?: readonly string[]
  /** Details that the user agrees to, listed below the sentences. */
  readonly rules?: readonly string[]
  readonly action: string
}
/** Returns one line for each warning. They stand above everything else that a prompt says. */
export function warningLines(problems: readonly string[]): readonly HTMLElement[] {
  return problems.map(problem => element('p', { class: 'problem warning' }, problem))
}

/** Asks the user to agree to an action in plain sentences. */
export function agreeTo(
  screen: Screen,
  { title, sentences, problems = [], rules = [], action }: Plain,
  about: About,
): Agreed {
  const content = [
    ...warningLines(problems),
    ...sentences.map(sentence => paragraph(sentence)),
    rules.length > 0 ? element('ul', { class: 'card' }, ...rules.map(rule => element('li', {}, rule))) : undefined,
  ]
  return agree(screen, { title, content, action }, about)
}

/** Shows actions below their warnings, and warns if a part is unclear. */
export function actionCards(
  actions: readonly Action[],
  problems: readonly string[] = [],
  isUnclear: boolean | undefined = actions.some(({ unclear }) => unclear),
): readonly Child[] {
  const unclear = isUnclear ? ['Part of it can’t be read. Sign only if you trust the app.'] : []
  return [...warningLines([...problems, ...unclear]), ...actions.map(actionCard)]
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
      note.textContent = explain(error)
    })
  })
  return screen.ask({
    title: 'Choose the backup file',
    content: [paragraph(sentence), row, again && element('p', {}, retry), note],
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
