/** Runs the reader in Python. Importing this without Python and its modules fails. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { PYTHON as PROGRAM, requireProgram } from '@keybay/sandbox-tools/programs'

const PYTHON = requireProgram(PROGRAM)
const READER = fileURLToPath(new URL('./read_backup.py', import.meta.url))

export interface Read {
  readonly header?: { readonly address: string; readonly epoch: number }
  readonly shares?: Readonly<Record<string, string>>
  readonly sealedSeed?: string | null
  readonly error?: string
}
export interface Question {
  readonly backup: Uint8Array
  readonly password?: string
  /** The passkey's output, hex. */
  readonly output?: string
}
/** Runs the reader once for all questions. */
export async function readInPython(all: readonly Question[]): Promise<readonly Read[]> {
  const reader = spawn(PYTHON, [READER], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = all.map(({ backup, ...rest }) =>
    JSON.stringify({ backup: Buffer.from(backup).toString('hex'), ...rest }),
  )
  reader.stdin.end(`${lines.join('\n')}\n`)
  let text = ''
  for await (const part of reader.stdout) text += part
  return text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}
