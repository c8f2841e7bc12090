import type { Documented } from './types.js'

/** The test adds `auth_date` and the hash, computed as the documentation says. */
export const telegram: Documented = {
  id: 'telegram',
  pages: [
    'https://core.telegram.org/widgets/login#receiving-authorization-data',
    'https://core.telegram.org/widgets/login#checking-authorization',
    'https://telegram.org/js/telegram-widget.js',
  ],
  read: '2026-11-28',
  missing:
    'The page was not open on that day: the fields are from an older reading, the values are ours. The refusal `false` is in Telegram’s script.',
  responses: {},
  returned: {
    id: '42',
    first_name: 'John',
    last_name: 'Doe',
    username: 'jd',
    photo_url: 'https://t.me/i/userpic/320/a.jpg',
  },
  profile: {
    id: '42',
    username: 'jd',
    name: 'John Doe',
    emailVerified: false,
    picture: 'https://t.me/i/userpic/320/a.jpg',
  },
  declined: { tgAuthResult: 'false' },
  errors: [],
}
