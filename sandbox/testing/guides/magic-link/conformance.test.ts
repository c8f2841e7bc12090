// @vitest-environment happy-dom
import type { ConnectContext, Credential } from '@keybay/kernel'
import { connectorConformance } from '@keybay/kernel/testing'
import { afterAll, beforeAll, expect } from 'vitest'
import { type MagicLinkConnector, type MagicLinkInput, magicLink } from './index.js'
import { startTestServer, type TestServer } from './test-server.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(async () => 'token-of-ann')
})
afterAll(() => server.stop())

/** The suite needs a response in the same page: once the login has left, the user opens the link in the mail. */
function comeBack(connector: MagicLinkConnector, input: MagicLinkInput, ctx: ConnectContext): Promise<Credential> {
  return new Promise((resolve, reject) => {
    const redirect = async (_url: string, state?: string) => {
      const link = new URL(server.newestLink())
      expect(connector.claims?.(link)).toBe(state)
      const attempt = { connectorId: connector.id, method: 'connect', state, startedAt: 0 }
      if (connector.resume) resolve(connector.resume(link, { ...ctx, attempt }))
      return new Promise<never>(() => {})
    }
    connector.connect(input, { ...ctx, redirect }).then(resolve, reject)
  })
}
function withUser(): ReturnType<typeof magicLink> {
  const plugin = magicLink({ serverUrl: server.url, sentUrl: '/check-your-mail' })
  return {
    ...plugin,
    setup(kernel) {
      const { connectors = [] } = plugin.setup(kernel)
      return {
        connectors: connectors.map(connector => ({
          ...connector,
          connect: (input, ctx) => comeBack(connector, input, ctx),
        })),
      }
    },
  }
}

connectorConformance(withUser, {
  id: 'magic-link',
  kind: 'login',
  stages: ['refuses', 'is-away'],
  answer: prompt => prompt.type === 'magic-link' && prompt.answer('ann@example.com'),
  returnUrl: `${location.origin}/?magic_link=of-another-browser&magic_code=x`,
  secrets: ['token-of-ann'],
})
