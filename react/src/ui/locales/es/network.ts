import type { Translation } from '../../messages.js'
import type { networkMessages } from '../en/network.js'

export const texts: Translation<typeof networkMessages> = {
  address: 'Dirección del nodo',
  asking: 'Preguntando al nodo …',
  inUse: 'En uso',
  network: 'Red',
  networksOwn: 'Los nodos de la propia red',
  notLoaded: 'No se pudo consultar tu nodo.',
  remove: 'Quitar el mío',
  text: 'Los saldos, las transferencias y todo lo demás de esta página pasan entonces solo por él. Debe ser de esta red, lo que se comprueba, y se guarda en este dispositivo tal como lo escribes.',
  title: 'Tu propio nodo para {network}',
  use: 'Usar este nodo',
  usesNetworks: '{network} usa de nuevo sus propios nodos',
  usesOwn: '{network} usa tu propio nodo',
  yourNode: 'tu nodo',
}
