import type { Translation } from '../../messages.js'
import type { walletErrorMessages } from '../en/wallet-errors.js'

export const texts: Translation<typeof walletErrorMessages> = {
  custody_consensus_needed: 'Antes tiene que confirmarlo otra persona autorizada.',
  custody_unavailable: 'La custodia no está disponible. Inténtalo dentro de un momento.',
  custody_unfinished: 'La custodia no terminó. Mira las últimas actividades antes de volver a intentarlo.',
  custody_unreachable: 'No se firmó nada: la custodia no responde. Revisa tu conexión e inténtalo de nuevo.',
  destination_needs_rent: 'La cuenta de destino es nueva. Envía al menos 0.00089088 SOL.',
  evm_invalid: 'No se firmó nada: la solicitud no es válida. Revisa lo que pide la otra app.',
  export_bundle_invalid: 'No se mostró nada: la exportación no es para esta ventana. Recarga la página.',
  frame_backup_host: 'Esta app no pudo guardar o leer la copia. Inténtalo de nuevo o elige otro lugar.',
  frame_backup_old: 'La copia es antigua. Busca la más reciente: cada cambio de las partes crea otra.',
  frame_backup_other_drive: 'Ese espacio es de otra cuenta. Elige la cuenta con la que entras o añade antes la otra.',
  frame_device_here: 'Este navegador ya tiene una parte. Crea partes nuevas en la página de seguridad.',
  frame_join_missing: 'No hay ninguna solicitud con ese código. Pídela antes en el otro dispositivo.',
  frame_passkey_elsewhere: 'La passkey es de otra dirección. Restaura donde se creó la copia.',
  frame_password_limited: 'Demasiadas contraseñas incorrectas. Espera un poco e inténtalo de nuevo.',
  frame_relay_unreachable: 'No se hizo nada: el servicio no responde. Inténtalo dentro de un momento.',
  frame_share_elsewhere:
    'Este navegador no tiene ninguna parte de la clave. Firma donde esté, o añade este navegador en la página de seguridad.',
  frame_share_replaced:
    'La parte de este navegador ya no vale. Restaura la billetera en su página de seguridad o añade este navegador desde otro dispositivo.',
  frame_storage_unavailable:
    'El navegador no deja guardar datos a la billetera. Suele deberse a una ventana privada o a un ajuste que bloquea cookies y datos de terceros. Sal de la ventana privada o permite los datos de esta página.',
  gas_not_sponsored: 'Nadie paga la comisión por ti. Págala tú o inténtalo mañana.',
  iframe_load_failed: 'No se pudo cargar la ventana de la billetera. Revisa tu conexión e inténtalo de nuevo.',
  insufficient_funds: 'No hay suficiente saldo. Envía menos o consigue más antes.',
  mpc_backup_malformed: 'No es una copia de seguridad. Elige el archivo que guardaste al crearla.',
  mpc_backup_unreadable: 'La contraseña no es correcta o la copia se modificó. Revisa la contraseña.',
  psbt_invalid: 'No se firmó nada: la transacción está incompleta. Pide una que diga qué gasta cada entrada.',
  rpc_unreachable: 'El nodo de la cadena no responde. Revisa tu conexión e inténtalo de nuevo.',
  rpc_url_invalid: 'La dirección no vale. Escríbela entera: https://… o, para un nodo propio, http://localhost:…',
  rpc_wrong_network: 'El nodo es de otra red. Elige antes su red o escribe la dirección de otro nodo.',
  set_revoked: 'Se quitó el acceso a este navegador. Añádelo de nuevo en la página de seguridad de la billetera.',
  sign_message_missing: 'Esta billetera no firma mensajes. Elige otra.',
  transaction_timed_out: 'La red no confirmó a tiempo. Puede que aún llegue: míralo antes de enviar de nuevo.',
}
