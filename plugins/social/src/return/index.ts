/** `@keybay/social/return`: for the page that providers redirect to. */
export { finishSocialSignIn, type ReturnOptions, type ReturnOutcome } from './finish.js'
