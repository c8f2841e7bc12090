import type { Translation } from '../../messages.js'
import type { signingMessages } from '../en/signing.js'

export const texts: Translation<typeof signingMessages> = {
  authorise: 'Preguntando si este dispositivo puede hacerlo',
  backedUp: 'Copias anteriores borradas',
  backup: 'Cifrando y comprobando la copia',
  checked: 'Leída de nuevo, y se abre',
  commit: 'Cambiando a las partes nuevas',
  confirm: 'Confirmando que todas las partes coinciden',
  consent: 'Confirma en la ventana de la billetera.',
  deal: 'Creando las partes de la clave con el servicio',
  done: 'Partes anteriores borradas',
  failed: 'Falló',
  grant: 'Esperándote en la otra ventana',
  granted: 'Acceso concedido',
  running: '{step} …',
  step: 'Paso {number}',
  steps: 'Pasos',
  succeeded: 'Listo',
  upload: 'Cifrando y subiendo',
  working: 'Tu billetera está trabajando …',
}
