import type { Translation } from '../../messages.js'
import type { walletMessages } from '../en/wallet.js'

export const texts: Translation<typeof walletMessages> = {
  activity: 'Actividad',
  copyAddress: 'Copiar dirección',
  frozen: 'Congelado',
  network: 'Red',
  noAccount: 'No hay ninguna billetera conectada',
  noAccountText: 'Conecta una billetera para recibir y enviar.',
  onlyFor: 'Solo para {network}.',
  onlyForText: 'Lo que se envía por otra red no llega aquí.',
  qr: 'Código QR de tu dirección',
  receive: 'Recibir',
  send: 'Enviar',
  sendToken: 'Enviar {token}',
  tokens: 'Tokens',
  tokensFailed: 'No se pudieron cargar los tokens.',
  tokensNone: 'Todavía no hay tokens.',
  tokensRead: 'los tokens',
  tokenUnknown: 'Token desconocido',
  wallet: 'Billetera',
  yourAddress: 'Tu dirección',
}
