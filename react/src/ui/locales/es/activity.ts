import type { Translation } from '../../messages.js'
import type { activityMessages } from '../en/activity.js'

export const texts: Translation<typeof activityMessages> = {
  confirmed: 'Confirmada',
  days: 'hace {count} días',
  empty: 'Aún no hay transacciones',
  emptyText: 'Todo aquello en lo que participa esta dirección aparece aquí un momento después.',
  expired: 'Caducada',
  failed: 'Fallida',
  hours: 'hace {count} h',
  minutes: 'hace {count} min',
  notLoaded: 'No se pudieron cargar las transacciones.',
  now: 'ahora',
  onChain: 'En la cadena',
  pending: 'En curso',
  seconds: 'hace {count} s',
  sentHere: 'Enviadas desde este navegador',
  slot: 'slot {slot}',
  succeeded: 'Correcta',
  transactions: 'las transacciones',
  unknownTime: 'desconocido',
  yesterday: 'ayer',
}
