/** The page that providers send people back to: nothing but the kit's own helper, so that it is done at once. */
import { finishSocialSignIn } from '@keybay/social/return'
import '../design/layers.css'
import '../design/tokens.css'
import '../design/base.css'

const say = (text: string) => {
  const status = document.getElementById('status')
  if (status) status.textContent = text
}
finishSocialSignIn().then(
  outcome => {
    if (outcome === 'posted') say('You can close this window and go back to the app.')
  },
  () => say('Something went wrong. Close this window, go back to the app and try again.'),
)
