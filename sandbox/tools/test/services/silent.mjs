// Sends no message and serves from a child process: readiness is found by polling, and both processes must end.
import { spawn } from 'node:child_process'

const server = `require('node:http').createServer((_, response) => response.end('up')).listen(${Number(process.env.SILENT_PORT)}, '127.0.0.1')`
spawn(process.execPath, ['-e', server], { stdio: 'inherit' })
setInterval(() => undefined, 1000)
