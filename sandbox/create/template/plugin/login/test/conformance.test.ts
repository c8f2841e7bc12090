// @vitest-environment happy-dom
import { connectorConformance, type Scene } from '@keybay/kernel/testing'
import { acmeName } from '../src/index.js'

/** Simulates Acme Name's server and a user who follows the scene. */
function getToken(scene: Scene) {
  return async (): Promise<string> => {
    if (scene.user === 'refuses') throw Object.assign(new Error('The user refused'), { code: 4001 })
    if (scene.user === 'is-away')
      await new Promise<void>(resolve => {
        scene.comesBack = async () => resolve()
      })
    return 'token-of-acme-name'
  }
}

connectorConformance(scene => acmeName({ getToken: getToken(scene) }), {
  id: 'acme-name',
  kind: 'login',
  stages: ['refuses', 'is-away'],
  secrets: ['token-of-acme-name'],
})
