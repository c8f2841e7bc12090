/** Loaded into every service (`--import`): ends a service whose supervisor has exited, even by SIGKILL. */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
