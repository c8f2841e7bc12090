/** Loaded into every service (`--import`): a service whose supervisor is gone, even by SIGKILL, ends itself. */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
