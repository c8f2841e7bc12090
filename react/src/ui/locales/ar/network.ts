import type { Translation } from '../../messages.js'
import type { networkMessages } from '../en/network.js'

export const texts: Translation<typeof networkMessages> = {
  address: 'عنوان العقدة',
  asking: 'جارٍ سؤال العقدة …',
  inUse: 'قيد الاستخدام',
  network: 'الشبكة',
  networksOwn: 'عُقد الشبكة نفسها',
  notLoaded: 'تعذّر البحث عن عقدتك.',
  remove: 'إزالة عقدتي',
  text: 'تمر الأرصدة والتحويلات وكل شيء آخر في هذه الصفحة عبرها وحدها. يجب أن تكون من هذه الشبكة، ونتحقق من ذلك، وتُحفظ على هذا الجهاز كما كتبتها.',
  title: 'عقدتك الخاصة لـ {network}',
  use: 'استخدام هذه العقدة',
  usesNetworks: 'يتم الوصول إلى {network} عبر عُقدها من جديد',
  usesOwn: 'يتم الوصول إلى {network} عبر عقدتك',
  yourNode: 'عقدتك',
}
