// @vitest-environment happy-dom
import { connectorConformance } from '@keybay/kernel/testing'
import { acmeName } from '../src/index.js'
import { fakeProvider } from './fake-provider.js'

connectorConformance(scene => acmeName({ provider: fakeProvider(scene) }), {
  id: 'acme-name',
  kind: 'wallet',
  stages: ['refuses', 'is-away', 'switches-account', 'refuses-signing'],
})
