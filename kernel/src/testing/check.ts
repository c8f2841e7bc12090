import type { Connector } from '../connector.js'
import type { ConnectorCheck, Expectations, Staging } from './expectations.js'
import { onStage, type Stage } from './stage.js'

interface Demand {
  readonly name: string
  readonly kind?: Connector['kind']
  readonly needs?: Staging
  readonly when?: (expectations: Expectations) => boolean
  readonly play: (stage: Stage, expectations: Expectations) => Promise<void>
}

export function canStage({ needs }: ConnectorCheck, { stages = [] }: Expectations): boolean {
  return !needs || stages.includes(needs)
}

/** Runs one check on its own stage. */
export function check({ name, kind, needs, when, play }: Demand): ConnectorCheck {
  const self: ConnectorCheck = {
    name,
    needs,
    applies: expectations => (!kind || kind === expectations.kind) && (!when || when(expectations)),
    async run(createConnector, expectations) {
      if (!self.applies(expectations) || !canStage(self, expectations)) return
      const user = needs === 'refuses' || needs === 'is-away' ? needs : 'approves'
      await onStage(createConnector, expectations, user, stage => play(stage, expectations))
    },
  }
  return self
}
