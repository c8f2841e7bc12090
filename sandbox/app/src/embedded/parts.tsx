import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { type ReactNode, useId } from 'react'
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
