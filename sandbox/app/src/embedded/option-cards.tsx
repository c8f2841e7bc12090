import { type ReactElement, type ReactNode, useId } from 'react'

export interface Option<T extends string> {
  readonly value: T
  readonly name: string
  /** Explains the option before the user chooses. */
  readonly says: ReactNode
}

/** A choice among a few options, each with an explanation. */
export function OptionCards<const T extends string>({
  legend,
  options,
  value,
  disabled = false,
  choose,
}: {
  readonly legend: string
  readonly options: readonly Option<T>[]
  readonly value: T
  readonly disabled?: boolean
  choose(value: T): void
}): ReactElement {
  const id = useId()
  return (
    <fieldset className="option-cards" disabled={disabled}>
      <legend>{legend}</legend>
      {options.map(option => (
        <div key={option.value} className="option-card">
          <input
            type="radio"
            id={`${id}-${option.value}`}
            name={id}
            checked={option.value === value}
            aria-describedby={`${id}-${option.value}-says`}
            onChange={() => choose(option.value)}
          />
          <div className="stack-tight">
            <label htmlFor={`${id}-${option.value}`}>{option.name}</label>
            <div id={`${id}-${option.value}-says`} className="soft small stack-tight">
              {option.says}
            </div>
          </div>
        </div>
      ))}
    </fieldset>
  )
}
