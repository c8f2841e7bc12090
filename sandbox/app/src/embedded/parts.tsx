import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import type { WalletProgress } from '@keybay/waas/react'
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import { IconButton, StepList } from '../design/index.js'
import { schemeNames, schemes } from './schemes.js'

const NAMES: Readonly<Record<string, string>> = {
  deal: 'Creating the key shares with the service',
  backup: 'Sealing and checking the backup',
  confirm: 'Confirming that all parts agree',
  commit: 'Changing to the new parts',
  done: 'Old parts erased',
  grant: 'Waiting for you in the other window',
  granted: 'Access given',
  authorise: 'Asking whether this device may',
  upload: 'Sealing and uploading',
  checked: 'Read back, and it opens',
  backedUp: 'Older copies erased',
}
/** Steps of an operation, in order, keyed by the number of steps that the operation reports. */
const STEPS: Readonly<Record<number, readonly string[]>> = {
  2: ['deal', 'confirm'],
  3: ['deal', 'backup', 'confirm'],
  4: ['deal', 'backup', 'commit', 'done'],
}
const BACKUP_STEPS = ['authorise', 'upload', 'checked', 'backedUp']

function getName(step: string): string {
  return NAMES[step] ?? step
}

interface OperationStepsProps {
  readonly progress: WalletProgress | undefined
  readonly state: 'idle' | 'pending' | 'success' | 'error'
}

/** Progress of a long wallet operation; renders nothing before the first step. */
export function OperationSteps({ progress, state }: OperationStepsProps) {
  if (!progress || state === 'idle') return null
  const known = BACKUP_STEPS.includes(progress.step) ? BACKUP_STEPS : (STEPS[progress.of] ?? [])
  const getState = (number: number) => {
    if (number < progress.number || state === 'success') return 'done'
    if (number > progress.number) return 'waiting'
    return state === 'error' ? 'failed' : 'doing'
  }
  const steps = Array.from({ length: progress.of }, (_, index) => {
    const name = index + 1 === progress.number ? progress.step : (known[index] ?? `Step ${index + 1}`)
    return { name, state: getState(index + 1), text: getName(name) } as const
  })
  const status = { pending: `${getName(progress.step)} …`, success: 'Done', error: 'It failed' }[state]
  return <StepList label="Steps" steps={steps} status={status} />
}

export interface Option<T extends string> {
  readonly value: T
  readonly name: string
  /** Explains the option before the user chooses. */
  readonly says: ReactNode
}
interface OptionCardsProps<T extends string> {
  readonly legend: string
  readonly options: readonly Option<T>[]
  readonly value: T
  readonly disabled?: boolean
  readonly choose: (value: NoInfer<T>) => void
}

/** A choice among a few options, each with an explanation. */
export function OptionCards<const T extends string>(props: OptionCardsProps<T>) {
  const { legend, options, value: chosen, disabled, choose } = props
  const group = useId()
  return (
    <fieldset className="option-cards" disabled={disabled}>
      <legend>{legend}</legend>
      {options.map(({ value, name, says }) => {
        const id = `${group}-${value}`
        const change = () => choose(value)
        return (
          <div key={value} className="option-card">
            <input
              type="radio"
              id={id}
              name={group}
              checked={value === chosen}
              aria-describedby={`${id}-says`}
              onChange={change}
            />
            <div className="stack-tight">
              <label htmlFor={id}>{name}</label>
              <div id={`${id}-says`} className="soft small stack-tight">
                {typeof says === 'string' ? <p>{says}</p> : says}
              </div>
            </div>
          </div>
        )
      })}
    </fieldset>
  )
}

interface SchemeChoiceProps {
  readonly value: ThresholdSignatureScheme
  /** The scheme in use, which is no choice. */
  readonly except?: ThresholdSignatureScheme
  readonly disabled: boolean
  choose(scheme: ThresholdSignatureScheme): void
}

/** Choice among the schemes, with what each promises, and what not. */
export function SchemeChoice({ except, ...rest }: SchemeChoiceProps) {
  const options = schemeNames.filter(scheme => scheme !== except).map(getOption)
  return <OptionCards legend="How the key is divided" options={options} {...rest} />
}

function getOption(value: ThresholdSignatureScheme) {
  const { name, signs, loss, isFragile } = schemes[value]
  const says = (
    <>
      <p>{signs}</p>
      <p className={isFragile ? 'option-danger' : undefined}>{loss}</p>
    </>
  )
  return { value, name, says }
}

interface WalletPlaceProps {
  readonly shown: boolean
  readonly place: RefObject<HTMLDivElement | null>
  /** Called on the close button or Escape; once loaded, the wallet's window has its own cancel button. */
  cancel(): void
}

/**
 * Container for the wallet's own window: a page of another origin, which this page cannot read. The window ignores
 * clicks while anything of this page covers it, so it sits above header, menu and toasts, and never exceeds the
 * screen.
 */
export function WalletPlace({ shown, place, cancel }: WalletPlaceProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (shown) dialog.current?.showModal()
    else dialog.current?.close() // restores the focus
  }, [shown])
  return (
    <dialog
      ref={dialog}
      className="wallet-place"
      aria-label="Wallet"
      onCancel={event => {
        event.preventDefault()
        cancel()
      }}
    >
      <div className="wallet-place-head">
        <p className="soft small">The wallet’s own window</p>
        <IconButton icon="close" label="Close the wallet’s window" onClick={cancel} />
      </div>
      {/* Empty until the window loads; the window then covers the note. */}
      <div className="wallet-place-room">
        <p className="soft small">Opening the wallet …</p>
        <div ref={place} />
      </div>
    </dialog>
  )
}
