/** The page's half of the social provider Acme. */
import { type SocialPlugin, socialProvider } from '@keybay/social'

/** @example createKeybay({ appName: 'My app', baseApiUrl, plugins: [account(), acme()] }) */
export function acme(): SocialPlugin<'acme'> {
  return socialProvider({ id: 'acme', name: 'Acme', colour: '#00aa77', icon: 'M2 2h20v20H2z' })
}
