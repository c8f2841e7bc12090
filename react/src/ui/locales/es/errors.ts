import type { Translation } from '../../messages.js'
import type { errorMessages } from '../en/errors.js'

export const texts: Translation<typeof errorMessages> = {
  cancelledThere: 'Cancelaste en el proveedor. Inténtalo de nuevo o elige otra forma.',
  declined: 'Lo rechazaste o cerraste la ventana. Inténtalo de nuevo cuando quieras.',
  notLoaded: 'No se pudo cargar una parte de esta página. Revisa tu conexión e inténtalo de nuevo.',
  other: 'Algo salió mal. Inténtalo de nuevo. Si se repite, envía esto al soporte de la app: {detail}',
  retryMinutes: 'Puedes intentarlo de nuevo en {count} minutos.',
  retrySeconds: 'Puedes intentarlo de nuevo en {count} segundos.',
  aborted: 'Se detuvo antes de terminar.',
  apple_sdk_failed: 'No se pudo cargar el acceso con Apple. Revisa tu conexión e inténtalo de nuevo.',
  connect_timeout: 'La billetera no respondió. Ábrela, busca una solicitud pendiente e inténtalo de nuevo.',
  email_recovery_disabled: 'No se puede recuperar por correo. Usa otra de tus passkeys.',
  invalid_external_token: 'El token no vale. Pide uno nuevo a la app.',
  invalid_passkey: 'Esta passkey no vale aquí. Prueba otra o entra de otra forma.',
  invalid_phone: 'El número de teléfono no vale. Escríbelo con su código de país, por ejemplo +41 79 123 45 67.',
  merge_accounts_invalid:
    'Las cuentas no se pueden unir. Entra en la otra cuenta, quita allí esta forma de acceso y añádela aquí.',
  mfa_invalid_code: 'El código no vale. Revísalo, espera al siguiente o usa otra forma.',
  oauth_error: 'El proveedor informó de un error. Inténtalo de nuevo o elige otra forma.',
  oauth_window_blocked: 'El navegador bloqueó la ventana. Permítela en la barra de direcciones.',
  oauth_window_closed: 'La ventana se cerró. Inténtalo de nuevo.',
  oauth_window_timeout: 'La ventana tardó demasiado. Inténtalo de nuevo y termina en ella.',
  passkey_exists: 'Este dispositivo ya tiene una passkey para tu cuenta. Entra con ella.',
  provider_not_enabled: 'Este proveedor no está activado. Elige otra forma.',
  recovery_code_invalid:
    'El código de recuperación no vale. Copia el código entero, en la pestaña que lo pidió, o envía uno nuevo.',
  request_failed: 'El servicio no responde. Revisa tu conexión e inténtalo de nuevo.',
  session_timeout: 'La sesión tardó demasiado. Inténtalo de nuevo.',
  signin_error: 'No se pudo entrar. Quizá el proveedor no funciona: inténtalo dentro de un momento o elige otra forma.',
  too_many_verification_attempts: 'Demasiados intentos. Espera unos minutos y empieza de nuevo.',
  unlink_error: 'No se puede quitar tu única forma de acceso. Añade antes otra.',
  verification_error: 'No se pudo verificar. Inténtalo en unos minutos o elige otra forma.',
  wallet_locked: 'La billetera está bloqueada. Desbloquéala e inténtalo de nuevo.',
  webauthn_unsupported: 'Este navegador no tiene passkeys. Usa uno que las tenga.',
  wrong_email_verification_token: 'El código no es correcto. Revisa los dígitos o pide otro.',
  wrong_sms_verification_token: 'El código no es correcto. Revisa los dígitos o pide otro.',
}
