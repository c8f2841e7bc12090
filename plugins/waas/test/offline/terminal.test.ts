/** The command-line tool's prompts, and its input from a pipe. */
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { readPasswords } from '../../src/cli/secret.js'

/** @param isTTY a keyboard; else a pipe */
function terminal(isTTY: boolean) {
  const raw: boolean[] = []
  const output = new PassThrough()
  const input = Object.assign(new PassThrough(), {
    isTTY,
    setRawMode(on: boolean) {
      raw.push(on)
      return input
    },
  })
  return { terminal: { input, output }, input, raw, said: () => String(output.read() ?? '') }
}

it('reads passwords from a pipe, one password per line', async () => {
  const { terminal: piped, input } = terminal(false)
  input.end('correct horse\n\nbattery staple')
  expect(await readPasswords(piped)).toEqual(['correct horse', 'battery staple'])
})

it('reads passwords at a keyboard without echo, until an empty line', async () => {
  const { terminal: keyboard, input, raw, said } = terminal(true)
  const reading = readPasswords(keyboard)
  input.write('correkt\u007f\u007fct horse\r')
  input.write('other\n')
  input.write('\r')
  expect(await reading).toEqual(['correct horse', 'other'])
  expect(said()).not.toContain('horse')
  expect(raw).toEqual([true, false, true, false, true, false])
})

it('reports that no password was given, instead of what is missing in the files', async () => {
  const empty = terminal(false)
  empty.input.end()
  await expect(readPasswords(empty.terminal)).rejects.toThrow('No password given')
  const { terminal: keyboard, input } = terminal(true)
  const reading = readPasswords(keyboard)
  input.write('\r')
  await expect(reading).rejects.toThrow('No password given')
})

it('stops reading passwords at Ctrl-C, and restores the terminal', async () => {
  const { terminal: keyboard, input, raw } = terminal(true)
  const reading = readPasswords(keyboard)
  input.write('\u0003')
  await expect(reading).rejects.toThrow('Stopped.')
  expect(raw).toEqual([true, false])
})
