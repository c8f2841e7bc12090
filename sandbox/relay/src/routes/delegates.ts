/** Servers that users may let sign for them, as the frame shows them for consent. */
import * as v from 'valibot'
import { getDelegates } from '../environments.js'
import { base64url, toText } from '../http/fields.js'
import { route } from '../http/route.js'

export const delegatesRoute = route({
  method: 'GET',
  path: '/delegates',
  summary: 'Servers that may be given a set of their own, as the operator lists them.',
  access: 'public',
  answer: v.object({ delegates: v.array(v.object({ name: v.string(), sealingKey: base64url })) }),
  run: async ({ environment }) => ({
    delegates: getDelegates(environment).map(({ name, sealingKey }) => ({ name, sealingKey: toText(sealingKey) })),
  }),
})
