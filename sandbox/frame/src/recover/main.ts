/** Page for the case that no service responds: recovers the key from its encrypted shares, without a network. */
import { envelopesIn, eraseKey, keyText, type RecoveredKey, recoverKey } from '@keybay/waas/offline'
import { explain } from '../page/screen/explain.js'
import './style.css'

const LARGEST_FILE = 65_536

function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const node = document.getElementById(id)
  if (!(node instanceof kind)) throw new Error(`The page has no ${id}.`)
  return node
}
const files = byId('files', HTMLInputElement)
const passwords = [byId('first', HTMLInputElement), byId('second', HTMLInputElement)]
const [problem, working, result] = ['problem', 'working', 'result'].map(id => byId(id, HTMLElement))
const [address, use] = ['address', 'use'].map(id => byId(id, HTMLElement))
const text = byId('text', HTMLTextAreaElement)
const open = byId('open', HTMLButtonElement)
const show = byId('show', HTMLButtonElement)

let known: RecoveredKey | undefined

function say(element: HTMLElement | undefined, words: string): void {
  if (element) element.textContent = words
}

function forget(): void {
  if (known) eraseKey(known)
  known = undefined
  text.value = ''
  text.hidden = true
  if (result) result.hidden = true
}

async function read(): Promise<readonly Uint8Array[]> {
  const chosen = [...(files.files ?? [])]
  if (chosen.length === 0) throw new Error('Choose the files first.')
  const all = chosen.map(async file => {
    if (file.size > LARGEST_FILE) throw new Error(`${file.name} is too large to be a backup.`)
    return envelopesIn(new Uint8Array(await file.arrayBuffer()), file.name)
  })
  return (await Promise.all(all)).flat()
}
const USES = {
  seed: 'Paste it into Phantom, or another Solana wallet, under “Import private key”.',
  scalar:
    'This key never was whole and has no seed, so other wallets cannot import it. “npx @keybay/waas sweep” sends everything to another address.',
  'private-key': 'It is the private key itself: import it into another Ethereum or Bitcoin wallet as it is.',
} as const

async function recover(): Promise<void> {
  forget()
  say(problem, '')
  open.disabled = true
  try {
    const envelopes = await read()
    const entered = passwords.map(({ value }) => value).filter(value => value !== '')
    if (entered.length === 0) throw new Error('Enter the password or the recovery code.')
    say(working, 'Opening the parts. Each takes a second or two.')
    known = await recoverKey({ envelopes, passwords: entered })
    for (const field of passwords) field.value = ''
    say(address, known.address)
    say(use, USES[known.kind])
    if (result) result.hidden = false
    show.focus()
  } catch (error) {
    say(problem, explain(error))
  }
  say(working, '')
  open.disabled = false
}

open.addEventListener('click', recover)
show.addEventListener('click', () => {
  if (!known) return
  text.value = keyText(known)
  text.hidden = false
  text.select()
})
byId('forget', HTMLButtonElement).addEventListener('click', forget)
addEventListener('pagehide', forget)
