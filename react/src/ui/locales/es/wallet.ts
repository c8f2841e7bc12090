import type { Translation } from '../../messages.js'
import type { walletMessages } from '../en/wallet.js'

export const texts: Translation<typeof walletMessages> = {
  activity: 'Actividad',
  copyAddress: 'Copiar dirección',
  network: 'Red',
  noAccount: 'No hay ninguna billetera conectada',
  noAccountText: 'Conecta una billetera para recibir y enviar.',
  onlyFor: 'Solo para {network}.',
  onlyForText: 'Lo que se envía por otra red no llega aquí.',
  qr: 'Código QR de tu dirección',
  receive: 'Recibir',
  send: 'Enviar',
  wallet: 'Billetera',
  yourAddress: 'Tu dirección',
}
