import type { Translation } from '../../messages.js'
import type { profileMessages } from '../en/profile.js'

export const texts: Translation<typeof profileMessages> = {
  accountFailed: 'Tu cuenta no se pudo cargar.',
  accountRead: 'tu cuenta',
  change: 'Cambiar',
  changeName: 'Cambiar nombre de usuario',
  choose: 'Elegir',
  chooseName: 'Elegir un nombre de usuario',
  copyId: 'Copiar ID de usuario',
  deleted: 'Tu cuenta se eliminará el {date}.',
  deletedText: 'Hasta entonces puedes conservarla, con todo lo que contiene.',
  keep: 'Conservar mi cuenta',
  keepFailed: 'Tu cuenta sigue pendiente de eliminación.',
  keeping: 'Conservando tu cuenta …',
  kept: 'Tu cuenta se conserva',
  lastSignIn: 'Último acceso',
  none: 'Ninguno todavía',
  profile: 'Perfil',
  rule: 'Usa de 3 a 32 caracteres: letras sin acentos, dígitos, puntos, guiones y guiones bajos.',
  saved: 'Nombre de usuario guardado',
  saveFailed: 'El nombre de usuario no se guardó.',
  since: 'Cuenta desde',
  userId: 'ID de usuario',
  username: 'Nombre de usuario',
}
