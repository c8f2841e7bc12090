// @vitest-environment happy-dom
import { connectorConformance } from '@keybay/kernel/testing'
import { afterEach } from 'vitest'
import { browserExtension } from '../src/index.js'
import { clearPage, createExtension, type Extension, inject } from './support.js'

const extensions = new WeakMap<object, Extension>()
afterEach(clearPage)

connectorConformance(
  scene => {
    // A scene keeps its wallet over reloads.
    const extension = extensions.get(scene) ?? createExtension()
    extensions.set(scene, extension)
    extension.person = scene.user
    scene.comesBack = extension.comesBack
    scene.switchesAccount = async () => {
      const { active } = await extension.store.read()
      await extension.change({ active: 1 - active })
    }
    inject('phantom', { solana: extension.solana })
    return browserExtension()
  },
  { id: 'browser-extension:phantom', kind: 'wallet', stages: ['refuses', 'is-away', 'switches-account'] },
)

connectorConformance(
  scene => {
    const extension = extensions.get(scene) ?? createExtension()
    // The wallet announces itself to each page that asks (EIP-6963).
    if (!extensions.has(scene)) extension.announceEvm()
    extensions.set(scene, extension)
    extension.person = scene.user
    scene.comesBack = extension.comesBack
    scene.switchesAccount = async () => {
      const { active } = await extension.store.read()
      await extension.change({ active: 1 - active })
    }
    return browserExtension()
  },
  { id: 'browser-extension:dev.keybay.sandbox', kind: 'wallet', stages: ['refuses', 'is-away', 'switches-account'] },
)
