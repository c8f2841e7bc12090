import { defineProvider, type ProviderOptions, type SocialProvider } from '../provider.js'

/**
 * Telegram. No OAuth: signed fields come back in the fragment, which the API checks with the bot’s token.
 *
 * @see https://core.telegram.org/widgets/login
 */
export function telegram(options?: ProviderOptions): SocialProvider<'telegram'> {
  return defineProvider({
    id: 'telegram',
    name: 'Telegram',
    colour: '#26a5e4',
    withoutCode: true,
    icon: () => import('../icons/telegram.js'),
    ...options,
  })
}
