import { spawn } from 'node:child_process'
import net from 'node:net'
import { built, installed } from './ready.mjs'

/** Whether something listens already; said before anything is installed or built. */
const isTaken = (port, host) =>
  new Promise(resolve => {
    const probe = net.createServer()
    probe.once('error', error => resolve(error.code === 'EADDRINUSE'))
    probe.listen(port, host, () => probe.close(() => resolve(false)))
  })

const port = Number(process.env.PORT || 8080)
if (await isTaken(port, process.env.HOST || '127.0.0.1')) {
  console.error(
    `Port ${port} is taken: stop what listens there, or set PORT to another one, for example PORT=${port + 1} npm start.`,
  )
  process.exit(1)
}

installed()
built()

const demo = process.env.MKOPO_DEMO ?? (process.env.DATABASE_URL ? '0' : '1')
const server = spawn(process.execPath, ['--enable-source-maps', 'dist/server/index.js'], {
  stdio: 'inherit',
  env: { ...process.env, MKOPO_DEMO: demo },
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal))
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
