/** Shared parts of the sandbox's services. Start reading at run.ts and define-service.ts. */
export { type Clock, MovableClock } from './clock.js'
export { dataFolder, isOrigin, readAll, SettingError, Variables } from './env.js'
export { exitAfterOutput } from './exit.js'
export { makeFolder } from './files.js'
export { closeServer, listen, PortTakenError } from './listen.js'
export {
  factsOfRequest,
  isLocalName,
  isLocalRequest,
  isLocalUrl,
  isStandInRequest,
  type RequestFacts,
} from './local.js'
export { aloneIn, lockFolder } from './lock.js'
export { jsonLog, type Log, type LogLine } from './log.js'
export { type Mode, readMode, requireSandbox } from './mode.js'
export {
  type Program,
  type RunningService,
  readProgram,
  runCommand,
  runService,
  runStandIn,
  type StartOptions,
} from './run.js'
export { StartUpCheck, StartUpError, type StartUpOptions } from './start-up.js'
