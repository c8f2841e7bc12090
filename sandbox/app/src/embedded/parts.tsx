import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import { IconButton } from '../design/index.js'
import { schemeNames, schemes } from './schemes.js'

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
