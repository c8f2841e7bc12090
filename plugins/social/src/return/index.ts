/** `@keybay/social/return`: the page that providers send people back to. */
export { finishSocialSignIn, type ReturnOptions, type ReturnOutcome } from './finish.js'
