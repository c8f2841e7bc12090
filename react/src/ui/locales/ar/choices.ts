import type { Translation } from '../../messages.js'
import type { choiceMessages } from '../en/choices.js'

export const texts: Translation<typeof choiceMessages> = {
  add: 'إضافة',
  cancel: 'إلغاء',
  link: 'هل تضيف طريقة الدخول هذه إلى الحساب المفتوح؟',
  linkName: 'هل تضيف طريقة الدخول هذه إلى حساب {name}؟',
  linkText: 'إن لم يكن هذا حسابك، فألغِ وسجّل الخروج أولًا.',
  mobile: 'صِل تطبيق محفظتك',
  openName: 'فتح {name}',
  openWallet: 'فتح المحفظة',
  recent: 'سجّل الدخول مجددًا للمتابعة',
  recentText: 'يتطلب هذا التغيير تسجيل دخول حديثًا.',
  returned: 'خطوة أخرى في {name}',
  returnedText: 'تم الاتصال بـ {name}. افتحها مجددًا ووقّع رسالة لتثبت أن هذا العنوان لك.',
}
