// if account
import type { MfaAnswer, MfaDevice } from '@keybay/account'
import { useAction } from '@keybay/react'
import type { PromptViewProps } from '@keybay/react/ui'
import { useEffect, useState } from 'react'

/** Prompts for a second factor: a passkey, or a code of a device. */
export function FactorView({ prompt, titleId }: PromptViewProps<'mfa'>) {
  const [device, select] = useState(prompt.devices[0])
  const check = useAction(async (_signal, answer: MfaAnswer) => prompt.answer(await prompt.submit(answer)))
  return (
    <>
      <h2 id={titleId}>Confirm that it is you</h2>
      {prompt.devices.length > 1 && (
        <ul>
          {prompt.devices.map(other => (
            <li key={other.id}>
              <button type="button" aria-pressed={other.id === device?.id} onClick={() => select(other)}>
                {other.name}
              </button>
            </li>
          ))}
        </ul>
      )}
      {device && <Factor key={device.id} device={device} challenge={prompt.challenge} submit={check.run} />}
      <p role="alert">{check.error?.message}</p>
    </>
  )
}

interface FactorProps {
  readonly device: MfaDevice
  challenge(deviceId: string): Promise<number>
  submit(answer: MfaAnswer): void
}

function Factor({ device: { id: deviceId, method, name }, challenge, submit }: FactorProps) {
  const { run, status, error } = useAction(() => challenge(deviceId))
  useEffect(() => run(), [run])
  if (method === 'passkey')
    return (
      <button type="button" disabled={status !== 'success'} onClick={() => submit({ deviceId, passkey: true })}>
        Use your passkey
      </button>
    )
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        submit({ deviceId, code: String(new FormData(event.currentTarget).get('code')) })
      }}
    >
      <label>
        Code of {name} <input name="code" inputMode="numeric" autoComplete="one-time-code" />
      </label>
      <button type="submit" disabled={status !== 'success'}>
        Confirm
      </button>
      <p role="alert">{error?.message}</p>
    </form>
  )
}
