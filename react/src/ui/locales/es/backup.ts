import type { Translation } from '../../messages.js'
import type { backupMessages } from '../en/backup.js'

export const texts: Translation<typeof backupMessages> = {
  addBrowser: 'Añade este navegador para usar la billetera también aquí. Su dirección y tu dinero no cambian.',
  approve: 'Apruébalo en tu otro dispositivo',
  approveText:
    'Este navegador muestra un código. Introdúcelo en esta app en el otro dispositivo, en los ajustes de seguridad de la billetera.',
  backingUp: 'Creando la copia …',
  backUp: 'Crear copia ahora',
  backUpThere: 'Crea la copia en el navegador donde hiciste la billetera. Después, tu dirección aparecerá aquí.',
  done: 'La copia está guardada y se puede abrir',
  elsewhere: 'Tu billetera está en otro dispositivo',
  failed: 'No se creó la copia. Nada ha cambiado.',
  first: 'Crea una copia de tu billetera para recibir más',
  getCode: 'Obtener un código',
  holdsMore: 'Tiene más de {limit} y ninguna copia actual; podría perderse con un solo navegador.',
  joined: 'Este navegador ya firma por la billetera',
  none: 'Esta billetera no tiene copia de seguridad.',
  noRestore:
    'Esta billetera aún no tiene copia, así que solo el otro dispositivo puede añadir este navegador. Crea la copia allí.',
  notAdded: 'No se añadió este navegador.',
  onlyBackup: 'Si este navegador olvida su parte, solo una copia recupera la billetera.',
  otherWays: 'Otras formas',
  restore: 'Restaurar',
  restoreText: 'Sin el otro dispositivo: con tu passkey, tu código de recuperación o tu archivo de copia.',
  restoreTitle: 'Restáurala desde tu copia',
  showsAfter: 'Tu dirección aparece en cuanto la copia esté lista.',
  stale: 'La copia de seguridad no está al día.',
  twoParts: 'Tiene dos partes; si este navegador olvida la suya, la billetera se pierde.',
  unverified: 'No has comprobado la copia de esta billetera en este navegador.',
  unverifiedText: 'Quizá otro dispositivo creó una. Compruébala una vez, antes de necesitarla.',
  verify: 'Comprobar ahora',
  waitsForDevice: 'Esperando a tu otro dispositivo …',
  waysHere: 'Formas de usar tu billetera aquí',
  yourAddress: 'tu dirección',
}
