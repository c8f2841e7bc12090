import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { completePlugins, PLUGINS } from '../src/app.mjs'
import { createInterview, readChoices } from '../src/ask.mjs'
import { chooseLines } from '../src/files.mjs'

describe('chooseLines', () => {
  const text = [
    "import { solana } from '@keybay/solana' // if solana",
    '<Payment /* if solana */ />',
    '<!-- if waas --> | frame |',
    'the rest, if solana is there',
  ].join('\n')

  it('keeps the lines of the chosen features, without their marks', () => {
    const expected = "import { solana } from '@keybay/solana'\n<Payment />\nthe rest, if solana is there"
    expect(chooseLines(text, new Set(['solana']))).toBe(expected)
    expect(chooseLines(text, new Set(['waas']))).toBe(' | frame |\nthe rest, if solana is there')
  })

  it('leaves out a whole file whose first line is a mark of a feature that was not chosen', () => {
    expect(chooseLines('// if waas\nconst a = 1\n', new Set())).toBeUndefined()
    expect(chooseLines('// if waas\nconst a = 1\n', new Set(['waas']))).toBe('const a = 1\n')
    expect(chooseLines('const a = 1 // if waas\nconst b = 2\n', new Set())).toBe('const b = 2\n')
  })
})

it('an answer names choices by number or by name, in any order', () => {
  expect(readChoices('3, wallet-standard account', PLUGINS)).toEqual(['wallet-standard', 'account'])
  expect(() => readChoices('0', PLUGINS)).toThrow('“0” is not one of the choices')
})

it('an empty answer takes the default, and the end of the input cancels', async () => {
  const input = new PassThrough()
  const interview = createInterview(input, new PassThrough())
  const question = { text: 'Folder', initial: 'my-app', read: (answer: string) => answer }
  input.write('\n')
  expect(await interview.ask(question)).toBe('my-app')
  input.end()
  await expect(interview.ask(question)).rejects.toThrow('Cancelled. Nothing was written.')
})

it('adds the plugin of signed-in users where another plugin needs it, and refuses a choice without a way in', () => {
  expect(completePlugins(['waas', 'passkey'])).toEqual(['account', 'passkey', 'waas'])
  expect(completePlugins(['wallet-standard'])).toEqual(['wallet-standard'])
  expect(() => completePlugins(['solana', 'account'])).toThrow('add one of wallet-standard')
})
