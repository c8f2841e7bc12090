// if social
import { finishSocialSignIn } from '@keybay/social/return'

const outcome = await finishSocialSignIn()
if (outcome === 'posted') document.body.textContent = 'You can close this window.'
if (outcome === 'unheard') document.body.textContent = 'You are not signed in. Go back to the app and try again.'
