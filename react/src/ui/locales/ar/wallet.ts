import type { Translation } from '../../messages.js'
import type { walletMessages } from '../en/wallet.js'

export const texts: Translation<typeof walletMessages> = {
  activity: 'النشاط',
  copyAddress: 'نسخ العنوان',
  network: 'الشبكة',
  noAccount: 'لا توجد محفظة متصلة',
  noAccountText: 'اربط محفظة لتستلم وترسل.',
  onlyFor: 'لـ {network} فقط.',
  onlyForText: 'ما يُرسل على شبكة أخرى لا يصل إلى هنا.',
  qr: 'رمز QR لعنوانك',
  receive: 'استلام',
  send: 'إرسال',
  wallet: 'المحفظة',
  yourAddress: 'عنوانك',
}
