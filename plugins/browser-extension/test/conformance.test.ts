// @vitest-environment happy-dom
import { connectorConformance, type Scene } from '@keybay/kernel/testing'
import { afterEach } from 'vitest'
import { browserExtension } from '../src/index.js'
import { clearPage, createExtension, type Extension, inject } from './support.js'

const extensions = new WeakMap<object, Extension>()
afterEach(clearPage)

/** @param install puts the extension into the page; a scene keeps its wallet over reloads */
function createConnector(scene: Scene, install: (extension: Extension, isNew: boolean) => void) {
  const known = extensions.get(scene)
  const extension = known ?? createExtension()
  extensions.set(scene, extension)
  extension.user = scene.user
  scene.comesBack = extension.comesBack
  scene.refusesSigning = async () => {
    extension.user = 'refuses'
  }
  scene.switchesAccount = async () => {
    const { active } = await extension.store.read()
    await extension.change({ active: 1 - active })
  }
  install(extension, !known)
  return browserExtension()
}
const expectations = { kind: 'wallet', stages: ['refuses', 'is-away', 'switches-account', 'refuses-signing'] } as const

connectorConformance(scene => createConnector(scene, ({ solana }) => inject('phantom', { solana })), {
  id: 'browser-extension:phantom',
  ...expectations,
})
// The wallet announces itself to each page that asks (EIP-6963).
connectorConformance(scene => createConnector(scene, (extension, isNew) => isNew && extension.announceEvm()), {
  id: 'browser-extension:dev.keybay.sandbox',
  ...expectations,
})
