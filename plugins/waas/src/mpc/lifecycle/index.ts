/** Lifecycle of share sets: the rules that the frame, R1 and R2 run. Pure, no I/O. */
export * from './frame.js'
export * from './states.js'
