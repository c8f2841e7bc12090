import type { Connector } from '../connector.js'
import type { ConnectorCheck, Expectations, Person } from './expectations.js'
import { onStage, type Stage } from './stage.js'

interface Demand {
  readonly name: string
  readonly kind?: Connector['kind']
  /** Default: a person who approves. */
  readonly person?: Person
  readonly switchesAccount?: true
  readonly when?: (expectations: Expectations) => boolean
  readonly play: (stage: Stage, expectations: Expectations) => Promise<void>
}

/** One demand, played on a stage of its own. */
export const check = ({ name, kind, person = 'approves', switchesAccount, when, play }: Demand): ConnectorCheck => {
  const applies = (expectations: Expectations) => {
    const stages: readonly string[] = expectations.stages ?? []
    return (
      (!kind || kind === expectations.kind) &&
      (person === 'approves' || stages.includes(person)) &&
      (!switchesAccount || stages.includes('switches-account')) &&
      (!when || when(expectations))
    )
  }
  return {
    name,
    applies,
    async run(createConnector, expectations) {
      if (!applies(expectations)) return
      await onStage(createConnector, expectations, person, stage => play(stage, expectations))
    },
  }
}
