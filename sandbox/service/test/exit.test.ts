/** Programs whose reader is slower than they are, through real pipes. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const SERVICE = fileURLToPath(new URL('../dist/index.js', import.meta.url))
/** Reads 4 KiB per millisecond, then prints the length. */
const READER = `
  const { readSync } = require('fs')
  const wait = new Int32Array(new SharedArrayBuffer(4))
  const part = Buffer.alloc(4096)
  let length = 0
  for (let n; (n = readSync(0, part)) > 0; Atomics.wait(wait, 0, 0, 1)) length += n
  console.log(length)`

/** Runs a module as a program. @returns the length of what a slow reader got, and the program's exit code */
function readSlowly(program: string): string {
  const script = `{ "$NODE" --input-type=module -e "$PROGRAM" -- program --sandbox; echo "code $?" >&3; } 2>&1 | "$NODE" -e "$READER"`
  const env = { ...process.env, NODE: process.execPath, PROGRAM: program, READER }
  return execFileSync('/bin/sh', ['-c', `{ ${script}; } 3>&1`], { env, encoding: 'utf8' })
}

it('an operator’s command that fails writes its whole output into a pipe with a slow reader', () => {
  const program = `import { runCommand } from '${SERVICE}'
    await runCommand('keys', async () => {
      process.stdout.write('x'.repeat(500_000))
      throw new Error('y'.repeat(300_000))
    })`
  expect(readSlowly(program)).toBe(`code 1\n${500_000 + 'keys: '.length + 300_000 + 1}\n`)
})

it('a service that stops writes its whole log into a pipe with a slow reader', () => {
  const program = `import { runStandIn } from '${SERVICE}'
    const stop = async () => process.stdout.write('x'.repeat(500_000))
    await runStandIn('inbox', 'It is a play.', async () => ({ url: 'http://a', stop }))
    process.kill(process.pid, 'SIGTERM')
    setInterval(() => {}, 1000)`
  expect(readSlowly(program)).toBe(`code 0\n${'inbox ready http://a'.length + 1 + 500_000}\n`)
})
