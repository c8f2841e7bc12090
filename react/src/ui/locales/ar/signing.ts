import type { Translation } from '../../messages.js'
import type { signingMessages } from '../en/signing.js'

export const texts: Translation<typeof signingMessages> = {
  authorise: 'السؤال عمّا إذا كان هذا الجهاز مسموحًا له',
  backedUp: 'حُذفت النسخ الأقدم',
  backup: 'تشفير النسخة والتحقق منها',
  checked: 'قُرئت من جديد وهي تُفتح',
  commit: 'الانتقال إلى الأجزاء الجديدة',
  confirm: 'التأكد من اتفاق كل الأجزاء',
  consent: 'أكّد في نافذة المحفظة.',
  deal: 'إنشاء أجزاء المفتاح مع الخدمة',
  done: 'حُذفت الأجزاء القديمة',
  failed: 'فشلت العملية',
  grant: 'في انتظارك في النافذة الأخرى',
  granted: 'مُنح الإذن',
  running: '{step} …',
  step: 'الخطوة {number}',
  steps: 'الخطوات',
  succeeded: 'تم',
  upload: 'التشفير والرفع',
  working: 'محفظتك تعمل …',
}
