import type { Translation } from '../../messages.js'
import type { profileMessages } from '../en/profile.js'

export const texts: Translation<typeof profileMessages> = {
  accountFailed: 'تعذّر تحميل حسابك.',
  accountRead: 'حسابك',
  change: 'تغيير',
  changeName: 'تغيير اسم المستخدم',
  choose: 'اختيار',
  chooseName: 'اختيار اسم مستخدم',
  copyId: 'نسخ معرّف المستخدم',
  deleted: 'سيُحذف حسابك في {date}.',
  deletedText: 'حتى ذلك الحين يمكنك الاحتفاظ به بكل ما فيه.',
  keep: 'الاحتفاظ بحسابي',
  keepFailed: 'ما زال حسابك بانتظار الحذف.',
  keeping: 'جارٍ الاحتفاظ بحسابك …',
  kept: 'حسابك باقٍ',
  lastSignIn: 'آخر تسجيل دخول',
  none: 'لا يوجد بعد',
  profile: 'الملف الشخصي',
  rule: 'استخدم من 3 إلى 32 حرفًا: حروفًا لاتينية بلا علامات وأرقامًا ونقاطًا وشرطات وشرطات سفلية.',
  saved: 'حُفظ اسم المستخدم',
  saveFailed: 'لم يُحفظ اسم المستخدم.',
  since: 'الحساب منذ',
  userId: 'معرّف المستخدم',
  username: 'اسم المستخدم',
}
