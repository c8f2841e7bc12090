import { defineProvider, type TelegramProvider } from '../provider.js'

/**
 * The bot’s ID is `SOCIAL_TELEGRAM_CLIENT_ID`, its token `SOCIAL_TELEGRAM_CLIENT_SECRET`.
 * @see https://core.telegram.org/widgets/login#receiving-authorization-data user profile
 */
export const telegram: TelegramProvider = defineProvider({
  id: 'telegram',
  docs: 'https://core.telegram.org/widgets/login',
  protocol: 'telegram',
  endpoint: 'https://oauth.telegram.org/auth',
  profile: {
    id: 'fields.id',
    username: 'fields.username',
    name: ['{fields.first_name} {fields.last_name}', 'fields.first_name'],
    picture: 'fields.photo_url',
  },
})
