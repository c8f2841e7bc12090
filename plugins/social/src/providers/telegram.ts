import { type ProviderOptions, type SocialPlugin, socialProvider } from '../plugin.js'

/**
 * Sign-in with Telegram. Not OAuth: signed fields return in the fragment, and the API verifies them with the bot’s token.
 *
 * @example createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), telegram()] })
 * @see https://core.telegram.org/widgets/login
 */
export function telegram(options?: ProviderOptions): SocialPlugin<'telegram'> {
  return socialProvider({
    id: 'telegram',
    name: 'Telegram',
    colour: '#26a5e4',
    withoutCode: true,
    icon: 'M12 2a10 10 0 100 20 10 10 0 000-20zm5 5.5L15 17c-.2.7-.6.8-1.2.5L11 15.4l-1.5 1.4c-.2.2-.3.3-.6.3l.2-3 5.5-5c.2-.2 0-.3-.4-.1l-6.8 4.3-2.9-.9c-.6-.2-.6-.6.1-.9l11.5-4.4c.5-.2 1 .1.9.4z',
    ...options,
  })
}
