/** `@keybay/sandbox-wallets`: wallets for tests and for trying out. Look at register.ts first. */
export { announce } from './announce.js'
export { HOSTILE_MARK, type HostileWallet, hostileWallets } from './hostile.js'
export type { HardwareMode } from './keyring.js'
export { type ManyWallets, registerManyWallets } from './many.js'
export {
  CHAINS,
  openSandboxWallet,
  registerSandboxWallet,
  type SandboxWallet,
  type SandboxWalletOptions,
} from './register.js'
export type { ApprovalRequest } from './requests.js'
export { HOST_ELEMENT } from './ui.js'
export { FEATURES, type FeatureName } from './wallet.js'
