// if wallet-standard
/** A wallet to connect while you develop. Its keys are unencrypted, so a production build does not contain it. */
import { registerSandboxWallet } from '@keybay/sandbox-wallet'

registerSandboxWallet()
