import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import type { ReactElement } from 'react'
import { OptionCards } from './option-cards.js'
import { schemeNames, schemes } from './schemes.js'

/** The schemes with what each promises, and what not. @param except one that is chosen already */
export function SchemeChoice({
  value,
  except,
  disabled,
  choose,
}: {
  readonly value: ThresholdSignatureScheme
  readonly except?: ThresholdSignatureScheme
  readonly disabled: boolean
  choose(scheme: ThresholdSignatureScheme): void
}): ReactElement {
  return (
    <OptionCards
      legend="How the key is divided"
      options={schemeNames
        .filter(scheme => scheme !== except)
        .map(scheme => {
          const { name, signs, loss, isFragile } = schemes[scheme]
          return {
            value: scheme,
            name,
            says: (
              <>
                <p>{signs}</p>
                <p className={isFragile ? 'option-danger' : undefined}>{loss}</p>
              </>
            ),
          }
        })}
      value={value}
      disabled={disabled}
      choose={choose}
    />
  )
}
