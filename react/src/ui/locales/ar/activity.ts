import type { Translation } from '../../messages.js'
import type { activityMessages } from '../en/activity.js'

export const texts: Translation<typeof activityMessages> = {
  confirmed: 'مؤكدة',
  days: 'منذ {count} يوم',
  empty: 'لا توجد معاملات بعد',
  emptyText: 'كل ما يشارك فيه هذا العنوان يظهر هنا بعد لحظة من حدوثه.',
  expired: 'منتهية',
  failed: 'فاشلة',
  hours: 'منذ {count} ساعة',
  minutes: 'منذ {count} دقيقة',
  notLoaded: 'تعذّر تحميل المعاملات.',
  now: 'الآن',
  onChain: 'على السلسلة',
  pending: 'قيد التنفيذ',
  seconds: 'منذ {count} ثانية',
  sentHere: 'أُرسلت من هذا المتصفح',
  slot: 'الخانة {slot}',
  succeeded: 'ناجحة',
  transactions: 'المعاملات',
  unknownTime: 'غير معروف',
  yesterday: 'أمس',
}
