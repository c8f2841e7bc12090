/** Number of statements behind a signature: each of them costs more processor time than the signature itself. */
import { afterAll, expect, it } from 'vitest'
import { COMPLETED, startWorld } from './world.js'

const statements: string[] = []
const world = await startWorld({ onQuery: text => statements.push(text) })
afterAll(() => world.stop())

it('a signature with a session key takes four statements', async () => {
  const user = await world.user()
  const client = world.clientOf(await world.session(user))
  statements.length = 0
  const { activity } = await client.signRawPayload(user.signature('ab'))
  expect(activity.status).toBe(COMPLETED)
  expect(statements, statements.join('\n')).toHaveLength(4)
})
