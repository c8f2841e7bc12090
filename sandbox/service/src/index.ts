/** What the sandbox's services share. Begin reading at run.ts. */
export { type Clock, MovableClock } from './clock.js'
export { address, dataFolder, integer, isOn, origins, pageOrigins } from './env.js'
export { closeServer, listen, PortTakenError } from './listen.js'
export { isLocalName, isLocalRequest, type RequestFacts } from './local.js'
export { jsonLog, type Log, type LogLine } from './log.js'
export { type RunningService, runCommand, runService } from './run.js'
export { sweepAgainAndAgain } from './sweeping.js'
