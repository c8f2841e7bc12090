/** Reads passwords from the keyboard without echo, or from a pipe, one per line. */
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean; setRawMode?(on: boolean): unknown }
  readonly output: Writable
}

/** Reads one line without echo. */
function readHidden({ input, output }: Terminal, question: string): Promise<string> {
  return new Promise((resolve, reject) => {
    output.write(question)
    input.setRawMode?.(true)
    let line = ''
    const end = (settle: () => void) => {
      input.setRawMode?.(false)
      input.off('data', onData)
      input.pause()
      output.write('\n')
      settle()
    }
    const onData = (chunk: Buffer | string) => {
      for (const character of String(chunk)) {
        if (character === '\r' || character === '\n') return end(() => resolve(line))
        if (character === '\u0003') return end(() => reject(new Error('Stopped.')))
        line = character === '\u007f' ? line.slice(0, -1) : line + character
      }
    }
    input.on('data', onData)
    input.resume()
  })
}

/** Returns one or more passwords; each file is tried with each of them. @throws Error if there is none */
export async function readPasswords(terminal: Terminal): Promise<readonly string[]> {
  const passwords = await read(terminal)
  if (passwords.length === 0) throw new Error('No password given. Type one, or pipe them in, one per line.')
  return passwords
}

async function read(terminal: Terminal): Promise<readonly string[]> {
  if (terminal.input.isTTY) {
    const passwords: string[] = []
    for (;;) {
      const prompt =
        passwords.length > 0
          ? 'Another password, if the files have different ones (or press Enter): '
          : 'Password or recovery code: '
      const password = await readHidden(terminal, prompt)
      if (password === '') return passwords
      passwords.push(password)
    }
  }
  const lines: string[] = []
  for await (const line of createInterface({ input: terminal.input })) if (line !== '') lines.push(line)
  return lines
}
