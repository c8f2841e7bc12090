import type { Translation } from '../../messages.js'
import type { choiceMessages } from '../en/choices.js'

export const texts: Translation<typeof choiceMessages> = {
  add: 'Añadir',
  cancel: 'Cancelar',
  link: '¿Añadir esta forma de acceso a la cuenta abierta?',
  linkName: '¿Añadir esta forma de acceso a la cuenta de {name}?',
  linkText: 'Si no es tu cuenta, cancela y cierra antes la sesión.',
  mobile: 'Conecta tu app de billetera',
  openName: 'Abrir {name}',
  openWallet: 'Abrir billetera',
  recent: 'Inicia sesión de nuevo para continuar',
  recentText: 'Este cambio necesita un inicio de sesión reciente.',
  returned: 'Un paso más en {name}',
  returnedText: '{name} está conectada. Ábrela otra vez y firma un mensaje para demostrar que esta dirección es tuya.',
}
