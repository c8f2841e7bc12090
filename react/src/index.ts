'use client'

/** React over a Keybay kernel: every hook reads the kernel's snapshots and renders once per batch of changes. */
export { type Action, type ActionControls, type ActionState, useAction } from './action.js'
export { type Connect, type ConnectorId, useConnect, useDisconnect } from './connect.js'
export { type ConnectorFilter, useConnectors } from './connectors.js'
export { KeybayProvider, type KeybayProviderProps, useKeybay } from './context.js'
export {
  type Signer,
  type SignMessageInput,
  type SignMessageResult,
  type SignTransactionInput,
  useSignMessage,
  useSignTransaction,
} from './sign.js'
export {
  type ActiveAccount,
  useAccounts,
  useActiveAccount,
  useConnection,
  useConnections,
  usePrompts,
  useSession,
} from './stores.js'
export { VERSION } from './version.js'
