// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { exchange, host, loginConnector, settle, testClock } from './helpers.js'

const asks = loginConnector('asks', {
  connect: async (_input, ctx) => ({
    method: 'email',
    proof: { userId: await ctx.prompt({ type: 'choice', title: 'Which?', options: [{ id: 'a', label: 'A' }] }) },
  }),
})

function ready(clock = testClock()) {
  const made = host([asks], { clock, connectTimeout: 1000 })
  made.kernel.session.register({ exchange })
  return { ...made, clock }
}

describe('prompts to the user', () => {
  it('shows a prompt in the store, accepts one response, and pauses the time-out', async () => {
    const { keybay, clock } = ready()
    const done = keybay.connect('asks')
    await settle()
    const [prompt] = keybay.prompts.list()
    expect(prompt).toMatchObject({ type: 'choice', title: 'Which?', connectorId: 'asks' })
    if (prompt?.type !== 'choice') throw new Error('Another question')
    await clock.advance(999_999)
    prompt.answer('a')
    prompt.answer('b')
    prompt.cancel()
    expect(await done).toEqual({ status: 'authenticated', userId: 'a' })
    expect(keybay.prompts.list()).toEqual([])
  })
  it('rejects with user_rejected when the user dismisses the prompt', async () => {
    const { keybay } = ready()
    const refused = expect(keybay.connect('asks')).rejects.toMatchObject({ code: 'user_rejected' })
    await settle()
    keybay.prompts.list()[0]?.cancel()
    await refused
  })
  it('closes the prompt when the attempt is aborted', async () => {
    const { keybay } = ready()
    const aborted = expect(keybay.connect('asks')).rejects.toMatchObject({ code: 'aborted' })
    await settle()
    keybay.attempts.reset('asks')
    await aborted
    expect(keybay.prompts.list()).toEqual([])
    expect(keybay.attempts.get('asks')).toBeUndefined()
  })
})
